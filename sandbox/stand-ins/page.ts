/** The pages of all stand-ins: for people, without script, for narrow and wide windows, by day and by night. */

type Page = {
  readonly title: string
  /** HTML. Values from outside must be `escaped`. */
  readonly body: string
}

function writePage({ title, body }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

type Approval = {
  readonly provider: string
  /** What the buyer is asked. */
  readonly question: string
  /** Such as `12.99 USD`. */
  readonly amount: string | null
  /** HTML of the form. The first button is the one that most people want. */
  readonly form: string
}

/** The page of a bank or a wallet, which asks the buyer. */
export function writeApproval({ provider, question, amount, form }: Approval): string {
  const sum = amount === null ? '' : `<p class="amount">${escaped(amount)}</p>`
  const body = `<section class="card">
<p class="badge">Stand-in for ${escaped(provider)}</p>
<h1>${escaped(question)}</h1>
${sum}
${form}
<p class="note">This page stands in for ${escaped(provider)} and the buyer’s bank. No money moves.</p>
</section>`
  return writePage({ title: `${question} · stand-in for ${provider}`, body })
}

/** Something for the buyer to read, with nothing to decide. */
export function writeMessage(provider: string, text: string): string {
  const body = `<section class="card">
<p class="badge">Stand-in for ${escaped(provider)}</p>
<h1>${escaped(text)}</h1>
<p class="note">You can close this page.</p>
</section>`
  return writePage({ title: `${text} · stand-in for ${provider}`, body })
}

type Row = readonly [string, string]

type Help = {
  readonly provider: string
  /** What enters the fields, if it is no payment service. */
  readonly service?: string
  readonly fields: Readonly<Record<string, string>>
  /** What to do, and what comes of it. */
  readonly values: readonly Row[]
  readonly controls: readonly Row[]
  readonly documentation: string
}

/** What the stand-in is, and how to use it. */
export function writeHelp({
  provider,
  service = 'payment service',
  fields,
  values,
  controls,
  documentation,
}: Help): string {
  const body = `<p class="badge">Stand-in</p>
<h1>A stand-in for ${escaped(provider)}</h1>
<p>This server answers like ${escaped(provider)}, as far as ${escaped(provider)}’s documentation says how. It keeps everything in memory, only this
machine can reach it, and no money moves.</p>
<p class="links"><a href="/_stand-in/books">Books: what was charged</a> <a href="${escaped(documentation)}">${escaped(provider)}’s documentation</a></p>
<h2>Fields of the ${service}</h2>
${table(['Field', 'Value'], Object.entries(fields))}
<h2>Test values</h2>
${table(['Use', 'What happens'], values)}
<h2>Controls</h2>
<p>What time, banks and other people do at ${escaped(provider)}, at your wish. Send JSON with POST.</p>
${table(['Address', 'What it does'], controls)}`
  return writePage({ title: `A stand-in for ${provider}`, body })
}

function table([left, right]: Row, rows: readonly Row[]): string {
  const lines = rows.map(
    ([name, text]) => `<tr><td><code>${escaped(name)}</code></td><td>${escaped(text)}</td></tr>`,
  )
  return `<table><thead><tr><th>${left}</th><th>${right}</th></tr></thead><tbody>${lines.join('\n')}</tbody></table>`
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const STYLE = `
:root { --ink: #16202c; --soft: #5b6875; --ground: #f4f6f8; --sheet: #fff; --line: #dde3e8; --accent: #0b5cad; --on: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf2; --soft: #9fadba; --ground: #10161d; --sheet: #19222c; --line: #2f3b47; --accent: #6db3f8; --on: #0b1520 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 1rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
.badge { display: inline-block; margin: 0; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); font-size: .85rem }
.card { max-width: 26rem; margin: 6vh auto 0; padding: 1.5rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem }
.amount { margin: 0 0 1.25rem; font-size: 1.75rem; font-weight: 600; font-variant-numeric: tabular-nums }
.note { margin: 1.25rem 0 0; color: var(--soft); font-size: .9rem }
form { display: grid; gap: .6rem }
label { display: grid; gap: .3rem }
input { width: 100%; padding: .7rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--sheet); color: inherit; font: inherit }
button { min-height: 2.9rem; padding: .6rem 1rem; border: 1px solid var(--soft); border-radius: .5rem; background: none; color: inherit; font: inherit; cursor: pointer }
button:first-of-type { border-color: var(--accent); background: var(--accent); color: var(--on); font-weight: 600 }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
a { color: var(--accent) }
.links a { display: inline-block; margin-right: 1.25rem; padding: .35rem 0 }
table { width: 100%; border-collapse: collapse; background: var(--sheet); border: 1px solid var(--line) }
th, td { padding: .5rem .75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere }
th { color: var(--soft); font-size: .85rem; font-weight: 500 }
td:first-child { width: 45% }
code { font: .9em ui-monospace, monospace }
@media (max-width: 36rem) { thead { display: none } td, td:first-child { display: block; width: auto; border: 0 } td + td { padding-top: 0; border-bottom: 1px solid var(--line) } }
`
