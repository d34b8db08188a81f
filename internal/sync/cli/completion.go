package cli

import "github.com/spf13/cobra"

// addCompletion completes the values of the common flags.
func (p *program) addCompletion(root *cobra.Command) error {
	words := func(words ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	names := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		set, err := p.environments()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return set.Names(), cobra.ShellCompDirectiveNoFileComp
	}

	for flag, complete := range map[string]cobra.CompletionFunc{
		"kind":   words(kindSurveys, kindApps),
		"format": words(formatText, formatJSON, formatMarkdown),
		"env":    names,
	} {
		if err := root.RegisterFlagCompletionFunc(flag, complete); err != nil {
			return err
		}
	}
	return nil
}
