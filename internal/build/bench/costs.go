package main

// costs are the costs of the plans of a variant, a value for each round.
type costs struct {
	cpu, changeCPU, peak []float64 // seconds, seconds, bytes
}

// planner runs a plan of a variant, and returns the CPU time in seconds and the memory in
// bytes that the processes of the provider used.
type planner func(c variant, change bool) (cpu, peak float64, err error)

// measureAlternately runs the plans of all variants, one after the other, in every round.
func measureAlternately(rounds int, plan planner) (map[variant]*costs, error) {
	byVariant := map[variant]*costs{}
	for _, c := range variants {
		byVariant[c] = &costs{}
	}
	for range rounds {
		for _, change := range []bool{false, true} {
			for _, c := range variants {
				cpu, peak, err := plan(c, change)
				if err != nil {
					return nil, err
				}
				byVariant[c].add(change, cpu, peak)
			}
		}
	}
	return byVariant, nil
}

func (c *costs) add(change bool, cpu, peak float64) {
	if change {
		c.changeCPU = append(c.changeCPU, cpu)
		return
	}
	c.cpu, c.peak = append(c.cpu, cpu), append(c.peak, peak)
}

// costRows are the rows of the three variants at one size, with a bar for the memory against
// the provider with the same schema.
func costRows(n int, byVariant map[variant]*costs, memory bar) []row {
	var rows []row
	for _, one := range []struct {
		what   string
		values func(*costs) []float64
		show   func(float64) string
		bars   [2]bar // against typed, against JSON text
	}{
		{"CPU of a plan without changes", func(c *costs) []float64 { return c.cpu }, seconds, [2]bar{{atMost: 0.35}, {atMost: 1}}},
		{"CPU of a plan with a change each", func(c *costs) []float64 { return c.changeCPU }, seconds, [2]bar{{atMost: 1.3}, {atMost: 2}}},
		{"peak memory of a plan without changes", func(c *costs) []float64 { return c.peak }, megabytes, [2]bar{memory}},
	} {
		for i, other := range []variant{typed, jsonText} {
			rows = append(rows, compared(one.what+", "+surveys(n),
				samples{"", one.values(byVariant[ours]), one.show},
				samples{other.title(), one.values(byVariant[other]), one.show}, one.bars[i]))
		}
	}
	return rows
}
