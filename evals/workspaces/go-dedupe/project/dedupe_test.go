package dedupe

import (
	"reflect"
	"testing"
)

func TestDedupe(t *testing.T) {
	got := Dedupe([]string{"c", "a", "c", "b", "a", "d", "e", "f"})
	want := []string{"c", "a", "b", "d", "e", "f"}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}
