"""Writes formulas.woff2: of STIX Two Math the characters that formulas need, with their table of mathematics.

    npm pack @fontsource/stix-two-math@5.3.0 && tar -xzf fontsource-stix-two-math-5.3.0.tgz
    pip install fonttools==4.68.0 brotli
    python subset.py package/files/stix-two-math-latin-400-normal.woff2
"""

import sys
from pathlib import Path

from fontTools import subset

FOLDER = Path(__file__).parent
# A test compares them with those of all formulas.
CHARACTERS = (FOLDER / "characters.txt").read_text(encoding="utf-8").replace("\n", "")

options = subset.Options()
options.flavor = "woff2"
options.hinting = False
# Variants of letters in indices, and of accents.
options.layout_features = ["ssty", "dtls", "flac"]
# Copyright and licence.
options.name_IDs = [0, 1, 2, 5, 13, 14]
options.notdef_outline = True
font = subset.load_font(sys.argv[1], options)
subsetter = subset.Subsetter(options)
# Spaces, and the invisible application of a function.
subsetter.populate(text=CHARACTERS + " \u00a0\u2061")
subsetter.subset(font)
subset.save_font(font, str(FOLDER / "formulas.woff2"), options)
