package dedupe

// Dedupe returns the words without repetitions, in the order of their first appearance.
func Dedupe(words []string) []string {
	seen := map[string]bool{}
	result := []string{}
	for _, word := range words {
		if seen[word] {
			continue
		}
		seen[word] = true
		result = append(result, word)
	}
	return result
}
