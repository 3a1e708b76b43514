package dedupe

import (
	"reflect"
	"testing"
)

func TestDedupe(t *testing.T) {
	want := []string{"c", "a", "b", "d", "e", "f"}
	// The order of a map is another one each time, and now and then the right one.
	for i := 0; i < 100; i++ {
		got := Dedupe([]string{"c", "a", "c", "b", "a", "d", "e", "f"})
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}
