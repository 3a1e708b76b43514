package dedupe

// Dedupe returns the words without repetitions, in the order of their first appearance.
func Dedupe(words []string) []string {
	seen := map[string]bool{}
	for _, word := range words {
		seen[word] = true
	}
	result := []string{}
	for word := range seen {
		result = append(result, word)
	}
	return result
}
