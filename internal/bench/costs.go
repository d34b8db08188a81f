package main

// costs are what the plans of one contender took, a value for each round.
type costs struct {
	cpu, changeCPU, peak []float64 // seconds, seconds, bytes
}

// planner makes one plan of a contender, and says what CPU time, in seconds, and
// memory, in bytes, the processes of the provider took.
type planner func(c contender, change bool) (cpu, peak float64, err error)

// inTurns makes the plans of all contenders, one after the other, in every round.
func inTurns(rounds int, plan planner) (map[contender]*costs, error) {
	of := map[contender]*costs{}
	for _, c := range contenders {
		of[c] = &costs{}
	}
	for range rounds {
		for _, change := range []bool{false, true} {
			for _, c := range contenders {
				cpu, peak, err := plan(c, change)
				if err != nil {
					return nil, err
				}
				of[c].add(change, cpu, peak)
			}
		}
	}
	return of, nil
}

func (c *costs) add(change bool, cpu, peak float64) {
	if change {
		c.changeCPU = append(c.changeCPU, cpu)
		return
	}
	c.cpu, c.peak = append(c.cpu, cpu), append(c.peak, peak)
}

// costRows are the rows of the three contenders at one size.
func costRows(n int, of map[contender]*costs) []row {
	var rows []row
	for _, one := range []struct {
		what   string
		values func(*costs) []float64
		show   func(float64) string
		bars   [2]bar // against typed, against JSON text
	}{
		{"CPU of a plan without changes", func(c *costs) []float64 { return c.cpu }, seconds, [2]bar{{atMost: 0.35}, {atMost: 1}}},
		{"CPU of a plan with a change each", func(c *costs) []float64 { return c.changeCPU }, seconds, [2]bar{{atMost: 1.3}, {}}},
		{"peak memory of a plan without changes", func(c *costs) []float64 { return c.peak }, megabytes, [2]bar{}},
	} {
		for i, other := range []contender{typed, jsonText} {
			rows = append(rows, compared(one.what+", "+surveys(n),
				measured{"", one.values(of[ours]), one.show},
				measured{other.title(), one.values(of[other]), one.show}, one.bars[i]))
		}
	}
	return rows
}
