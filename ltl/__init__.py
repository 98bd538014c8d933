"""Past temporal logic on finite words: formulas, their syntax, truth, automata and fragments."""
