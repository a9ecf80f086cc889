"""The names of the months in the languages of Western and Northern Europe, so that a date in words is one day only.

A name that means two months, depending on the language (`listopad`), is left out: no date is better than a wrong one.
"""

from __future__ import annotations

import unicodedata

_NAMES = (
    # English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish and Norwegian; without accents
    "jan january januar janner janvier janv enero ene gennaio gen janeiro januari",
    "feb february februar feber fevrier fevr fev febrero febbraio fevereiro februari",
    "mar march marz maerz mrz mars marzo marco maart mrt marts",
    "apr april avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei maj",
    "jun june juni juin junio giugno giu junho",
    "jul july juli juillet juil julio luglio lug julho",
    "aug august aout agosto ago augustus augusti",
    "sep sept september septembre septiembre settembre set sett setembro",
    "oct october oktober okt octobre octubre ottobre ott outubro out",
    "nov november novembre noviembre novembro",
    "dec december dezember dez decembre diciembre dic dicembre dezembro desember des",
)
_NUMBERS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}


def month_number(name: str) -> int | None:
    """1 to 12, whatever case and accents the name is written with; None for what is no month."""
    return _NUMBERS.get(plain(name))


def plain(text: str) -> str:
    """Lower case, without accents."""
    if text.isascii():
        return text.lower()
    return "".join(char for char in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(char))
