"""Numbers and dates written out in English, Hungarian and Korean, in parts that know which digits they write."""
