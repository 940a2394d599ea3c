/** The language and the country of a browser's language tag, as in `en` or `pt-BR`. Null if it is no such tag. */
export function localeOf(tag: string | null | undefined): string | null {
  if (!tag) return null
  try {
    const { language, region } = new Intl.Locale(tag)
    if (language.length !== 2) return null
    return region?.length === 2 ? `${language}-${region}` : language
  } catch {
    return null
  }
}
