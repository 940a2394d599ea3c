import { opaqueColor } from '#domain/css-color.ts'

/** The colour of the page if the merchant chose none. */
const OWN_COLOR = '#0b7a6f'

/** The page's style with the merchant's colour. Only six digits of it get into the page. */
export function styleFor(merchantColor: string | null): string {
  const color = opaqueColor(merchantColor ?? OWN_COLOR) ?? OWN_COLOR
  return `:root { --accent: ${color}; --on-accent: ${readableOn(color)} }${STYLE}`
}

/** Black or white, whichever has more contrast: by the relative luminance of WCAG 2. */
function readableOn(color: string): string {
  const parts = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = parts
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}

/** Phones first. On wide screens the order stands beside the card. */
const STYLE = `
:root { --page: #f3f5f5; --sheet: #fff; --text: #1c2423; --soft: #566261; --line: #d7dddc; --field: #fff; --border: #7d8a88;
  --bad: #b3261e; --bad-back: #fdf0ef; --shadow: 0 1px 2px #0000000f, 0 8px 24px #00000014 }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1314; --sheet: #151d1e; --text: #e6eeec; --soft: #a3b3b0; --line: #2b3738; --field: #0f1617;
    --border: #75857f; --bad: #ffb4ab; --bad-back: #3a1614; --shadow: none }
}
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: var(--sheet); color: var(--text);
  min-height: 100vh; display: grid; justify-items: center; align-items: start }
main { width: 100%; max-width: 28rem; background: var(--sheet); border-top: 4px solid var(--accent); overflow: hidden }
.part { padding: 1.5rem 1.25rem }
.part + .part { border-top: 1px solid var(--line) }
.banner { display: block; width: 100%; max-height: 10rem; object-fit: cover }
.merchant { margin: 0; color: var(--soft); font-weight: 600; overflow-wrap: anywhere }
h1 { font-size: 1.75rem; line-height: 1.2; margin: .25rem 0 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
h2 { font-size: 1rem; margin: 0 0 1rem }
p { margin: .75rem 0 0; overflow-wrap: anywhere }
.message { white-space: pre-line }
ul { list-style: none; margin: 1.5rem 0 0; padding: 0 }
li { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem 0; border-top: 1px solid var(--line) }
li span { min-width: 0; overflow-wrap: anywhere } li b { font-weight: 400; white-space: nowrap; font-variant-numeric: tabular-nums }
li.total, li.total b { font-weight: 700 }
.count, small, .hint { color: var(--soft) } small, .hint { font-size: .875rem }
form { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
.field { display: grid; gap: .25rem; align-content: start; grid-column: span 2 } .half { grid-column: span 1 }
label { font-weight: 600; font-size: .9375rem }
input { font: inherit; font-variant-numeric: tabular-nums; width: 100%; min-height: 3rem; padding: .5rem .75rem;
  color: var(--text); background: var(--field); border: 1px solid var(--border); border-radius: 8px }
::placeholder { color: var(--soft); opacity: 1 }
input[aria-invalid] { border: 2px solid var(--bad) }
.error { color: var(--bad); font-size: .875rem; margin: 0; font-weight: 600 }
.notice { margin: 0 0 1rem; padding: .75rem 1rem; border-left: 4px solid var(--bad); background: var(--bad-back); border-radius: 4px }
button, .button { font: inherit; font-weight: 600; display: block; width: 100%; min-height: 3rem; padding: .75rem 1rem; text-align: center;
  color: var(--on-accent); background: var(--accent); border: 0; border-radius: 8px; cursor: pointer; text-decoration: none }
form button { grid-column: span 2; margin-top: .25rem }
.button { margin-top: 1.5rem }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px }
a { color: inherit }
footer { padding: 1rem 1.25rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem;
  display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
@media (min-width: 32rem) {
  body { padding: 2rem 1rem; background: var(--page) }
  main { border-radius: 12px; box-shadow: var(--shadow) }
  .part { padding: 2rem }
  footer { padding: 1rem 2rem }
}
@media (min-width: 60rem) {
  body { align-items: center }
  main.wide { max-width: 60rem }
  main.wide .parts { display: grid; grid-template-columns: 1fr 1fr }
  main.wide .part + .part { border-top: 0; border-left: 1px solid var(--line) }
}`
