/** Shows the page in the colour scheme of its place in a shop's page. Style sheets ask for the attribute: the oldest browsers know no `light-dark()`. */
export function followScheme(scheme: string): void {
  const names = scheme.split(' ')
  const isLight = names.includes('light')
  const isDark = names.includes('dark')
  document.documentElement.dataset['theme'] = isDark ? (isLight ? 'both' : 'dark') : 'light'
}
