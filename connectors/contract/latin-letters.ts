/** Letters that Unicode does not take apart into a plain one and its mark. */
const WITHOUT_MARK: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', þ: 'th', Þ: 'TH' },
  ...{ ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', ı: 'i', ħ: 'h', Ħ: 'H' },
  ...{ '’': "'", '‘': "'", '–': '-', '—': '-', '\u00a0': ' ' },
}

/** Latin letters without their marks, so that `Müller` is not read as `Mller` where a provider takes plain ones only. */
export function withoutMarks(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/gu, (letter) => WITHOUT_MARK[letter] ?? letter)
}

/** At most as many units as providers count, and no half of a character: that is no text, and the whole request would be refused. */
export function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
}
