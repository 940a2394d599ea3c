/** The whole look of the reference. The policy of its pages names its hash, so no other style applies. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f8f8; --line: #e2e8e8; --text: #17211f; --soft: #55635f;
  --accent: #0a6b61; --tint: #e3f3f0; --focus: #0b7a6f;
  --get: #1257b0; --get-tint: #e4eefb; --post: #0c6b3a; --post-tint: #e0f4e8;
  --put: #86520a; --put-tint: #fbf0da; --delete: #a92525; --delete-tint: #fce8e6;
  --code-page: #101a1c; --code-line: #22302f; --code-text: #dbe7e5; --code-soft: #8fa5a1;
  --code-key: #7fd1c4; --code-string: #e6c98b; --code-literal: #a9b8ff;
  --bar: 3.5rem; --edge: #7d8d89;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1314; --panel: #141c1d; --line: #253031; --text: #e4ecea; --soft: #9dafab;
    --accent: #62cdbd; --tint: #12302d; --focus: #62cdbd;
    --get: #8db9f5; --get-tint: #16283f; --post: #7fd3a0; --post-tint: #12301f;
    --put: #e8be74; --put-tint: #35280f; --delete: #f29c96; --delete-tint: #3d1a19;
    --code-page: #0a0f10; --code-line: #253031; --edge: #74857f;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--bar) + 1.25rem); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 0.9375rem/1.6 var(--sans);
  display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
p { margin: 0 0 0.75rem; }
p code, td code, li > code, dd code { background: var(--panel); border: 1px solid var(--line); border-radius: 4px;
  padding: 0.05em 0.35em; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.012em; margin: 0; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 2.4rem; letter-spacing: -0.028em; }
h2 { font-size: 1.5rem; }
h3 { font-size: 1.2rem; }
h4 { font-size: 0.9375rem; margin: 1.75rem 0 0.5rem; }
.quiet { color: var(--soft); }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--accent); color: var(--page);
  padding: 0.5rem 1rem; border-radius: 6px; z-index: 10; }
.skip:focus { top: 1rem; }

.bar { grid-column: 1 / -1; position: sticky; top: 0; z-index: 5; height: var(--bar); display: flex; gap: 1rem; align-items: center;
  padding: 0 1.35rem; background: var(--page); border-bottom: 1px solid var(--line); }
.bar search { flex: 1; max-width: 34rem; margin-inline: auto; }
.bar form { position: relative; }
.bar input { width: 100%; font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: 8px;
  padding: 0.4rem 2.4rem 0.4rem 0.8rem; appearance: none; }
.bar input::placeholder { color: var(--soft); opacity: 1; }
.bar kbd { position: absolute; right: 0.6rem; top: 50%; translate: 0 -50%; font: 600 0.75rem/1.5 var(--mono); color: var(--soft);
  border: 1px solid var(--line); border-radius: 4px; padding: 0 0.4rem; background: var(--page); pointer-events: none; }
.bar input:focus + kbd { display: none; }
.bar .button { display: none; }
#found { position: absolute; inset: calc(100% + 0.4rem) 0 auto; padding: 0.35rem; max-height: min(28rem, 70vh);
  overflow-y: auto; background: var(--page); border: 1px solid var(--edge); border-radius: 10px; box-shadow: 0 8px 30px #0003; z-index: 6; }
#found a { display: flex; justify-content: space-between; gap: 0.25rem 1rem; flex-wrap: wrap; padding: 0.4rem 0.6rem; border-radius: 6px;
  color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
#found a[aria-selected="true"], #found a:hover { background: var(--tint); }
#found .where { color: var(--soft); font: 0.8125rem/1.6 var(--mono); }
.brand { display: inline-flex; align-items: center; gap: 0.6rem; color: var(--text); font-weight: 650;
  text-decoration: none; letter-spacing: -0.01em; }
.brand rect { fill: #0b7a6f; }
.brand path { fill: none; stroke: #ffffff; stroke-width: 3; stroke-linecap: round; }
.button { border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.8rem; color: var(--text);
  text-decoration: none; font-weight: 550; background: var(--page); }
#menu { display: block; position: sticky; inset: var(--bar) auto auto 0; width: auto; margin: 0; border: 0; border-right: 1px solid var(--line);
  height: calc(100vh - var(--bar)); overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin;
  background: var(--panel); color: var(--text); padding: 1rem 0.75rem 3rem; font-size: 0.875rem; }
#menu summary { display: flex; align-items: baseline; padding: 0.35rem 0.6rem; font-weight: 650; border-radius: 6px; cursor: pointer; }
#menu details { margin-bottom: 0.5rem; }
#menu ul { list-style: none; margin: 0; padding: 0; }
#menu a { display: flex; gap: 0.55rem; align-items: baseline; padding: 0.28rem 0.6rem; border-radius: 6px;
  color: var(--soft); text-decoration: none; line-height: 1.4; }
#menu a > span:last-child { min-width: 0; }
#menu a:hover { background: var(--tint); color: var(--text); }
#menu a[aria-current] { color: var(--accent); font-weight: 600; }
#menu a[aria-current="location"] { background: var(--tint); }
#menu .operations { margin: 0.15rem 0 0.4rem 0.6rem; padding-left: 0.4rem; border-left: 1px solid var(--line); font-size: 0.8125rem; }
#menu .part { margin: 0.4rem 0 0.1rem 1rem; font-size: 0.75rem; font-weight: 600; color: var(--soft); }
summary { list-style: none; cursor: pointer; }
summary::-webkit-details-marker { display: none; }
summary::before { flex: none; content: ""; display: inline-block; width: 0.36rem; height: 0.36rem; margin: 0 0.6rem 0 0.1rem; translate: 0 -0.12rem;
  border-right: 1.5px solid var(--soft); border-bottom: 1.5px solid var(--soft); transform: rotate(-45deg); }
details[open] > summary::before { transform: rotate(45deg); }
.verb { flex: none; font: 700 0.6875rem/1.5 var(--mono); text-transform: uppercase; letter-spacing: 0.02em;
  padding: 0.1rem 0.4rem; border-radius: 5px; }
#menu .verb { width: 2.7rem; padding-inline: 0; text-align: center; font-size: 0.625rem; }
.get { color: var(--get); background: var(--get-tint); }
.post { color: var(--post); background: var(--post-tint); }
.put { color: var(--put); background: var(--put-tint); }
.delete { color: var(--delete); background: var(--delete-tint); }

main { min-width: 0; padding: 2.5rem clamp(1.25rem, 4vw, 4rem) 6rem; max-width: 92rem; }
main:focus { outline: none; }
.hero { display: grid; grid-template-columns: minmax(0, 46rem) minmax(0, 30rem); gap: 2rem 3.5rem; justify-content: space-between; }
.hero .examples { top: auto; position: static; }
.starts { list-style: none; margin: 2rem 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.75rem; }
.starts a { display: block; height: 100%; padding: 0.7rem 1rem; border: 1px solid var(--line); border-radius: 10px; font-weight: 600; text-decoration: none; }
.starts a:hover { background: var(--tint); }
.title { max-width: 46rem; }
.title h1 { font-size: 2rem; margin-bottom: 0.75rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.resources { margin-top: 4rem; }
.resources h3 { margin: 2rem 0 0.9rem; }
.cards { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 2rem; }
.card { padding: 0.6rem 0; border-top: 1px solid var(--line); }
.card a { font-weight: 600; text-decoration: none; }
.card a:hover { text-decoration: underline; }
.card p { font-size: 0.875rem; margin: 0.15rem 0 0; }
.index, .names { list-style: none; margin: 1rem 0 0; padding: 0; }
.index li { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1.5rem; padding: 0.5rem 0.4rem;
  border-top: 1px solid var(--line); }
.index a { font-weight: 550; text-decoration: none; }
.index a:hover { text-decoration: underline; }
.index code { background: none; border: 0; padding: 0; font-size: 0.8125rem; color: var(--soft); overflow-wrap: anywhere; }
.index b { background: none; text-transform: uppercase; margin-right: 0.3rem; }
.index li:target { background: var(--tint); outline: 2px solid var(--focus); }
.names { columns: 14rem; }
.names li { padding: 0.15rem 0; font: 0.8125rem/1.6 var(--mono); overflow-wrap: anywhere; break-inside: avoid; }
.results { padding-left: 1.4rem; }
.results li { padding: 0.35rem 0; }
.results .quiet { font: 0.8125rem/1.6 var(--mono); overflow-wrap: anywhere; }

.document { display: grid; grid-template-columns: minmax(0, 48rem) 14rem; gap: 3rem; }
.text { min-width: 0; overflow-wrap: break-word; }
.text h1 { font-size: 2rem; margin-bottom: 1rem; }
.text h2 { margin: 2.75rem 0 0.75rem; font-size: 1.4rem; }
.text h3 { margin: 2rem 0 0.6rem; font-size: 1.1rem; }
.text ul, .text ol { padding-left: 1.4rem; margin: 0 0 0.9rem; }
.text li { margin-bottom: 0.3rem; }
.text .code, .text .wide { margin: 0.25rem 0 1.1rem; }
.text li > .code { margin-top: 0.5rem; }
.text blockquote { margin: 0 0 1rem; padding: 0.1rem 1rem; border-left: 3px solid var(--accent); color: var(--soft); }
.wide { overflow-x: auto; }
.text img { display: inline-block; max-width: 100%; height: auto; margin: 0 0.5rem 0.5rem 0; border: 1px solid var(--line); border-radius: 8px; vertical-align: top; }
.data { font-size: 0.875rem; min-width: 30rem; }
.data thead { position: static; width: auto; height: auto; clip-path: none; }
.data th { text-align: left; font-weight: 600; padding: 0.45rem 0.75rem 0.45rem 0; vertical-align: bottom; }
.data td { padding: 0.45rem 0.75rem 0.45rem 0; }
.contents { position: sticky; top: calc(var(--bar) + 2rem); align-self: start; max-height: calc(100vh - var(--bar) - 4rem); overflow-y: auto; font-size: 0.8125rem; }
.contents p { font-weight: 650; margin-bottom: 0.4rem; }
.contents ul { list-style: none; margin: 0; padding: 0; border-left: 1px solid var(--line); }
.contents a { display: block; padding: 0.2rem 0.8rem; color: var(--soft); text-decoration: none; margin-left: -1px; border-left: 2px solid transparent; }
.contents a:hover { color: var(--text); }
.contents a[aria-current] { color: var(--accent); border-left-color: var(--accent); font-weight: 600; }
.version { color: var(--accent); font-weight: 600; font-size: 0.8125rem; margin-bottom: 0.5rem; }
.tagline { font-size: 1.2rem; color: var(--soft); margin: 0.5rem 0 1.5rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 0.75rem; margin: 1.5rem 0 0; }
.facts div { border: 1px solid var(--line); border-radius: 10px; padding: 0.8rem 1rem; background: var(--panel); }
.facts dt { font-size: 0.8125rem; color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; font-weight: 550; }
.facts dd code { background: none; border: 0; padding: 0; }
.guide { max-width: 46rem; }
.guide section { margin-top: 2.75rem; }
.guide h2 { font-size: 1.25rem; margin-bottom: 0.6rem; }
.errors { max-width: 46rem; }
.errors section { padding: 1.5rem 0 1rem; border-top: 1px solid var(--line); }
.errors section:target h2 { color: var(--accent); }
.errors h2 { font-size: 1rem; margin-bottom: 0.5rem; }
.errors summary { padding: 0.2rem 0; font-size: 0.8125rem; font-weight: 600; }
.errors .code { margin: 0.25rem 0 0.75rem; }
.status { flex: none; font: 650 0.8125rem/1.6 var(--mono); color: var(--delete); margin-right: 0.75rem; text-decoration: none; }
.status.good { color: var(--post); margin-right: 0.25rem; }

.tag { margin-top: 3rem; }
h1 + .tag { margin-top: 0; }
.tag > h2 { padding-bottom: 0.6rem; }
.trail { font-size: 0.8125rem; font-weight: 600; margin-bottom: 0.35rem; }
.trail a { text-decoration: none; }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); gap: 1rem 3rem; }
.operation h1 { font-size: 1.75rem; }
.operation h2 { font-size: 1rem; margin: 2rem 0 0.5rem; }
.examples { position: sticky; top: calc(var(--bar) + 1.25rem); align-self: start; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; min-width: 0; }
.about { min-width: 0; overflow-wrap: anywhere; }
.anchor { color: var(--soft); text-decoration: none; opacity: 0; font-weight: 400; padding: 0 0.2rem; }
h3:hover .anchor, .anchor:focus-visible { opacity: 1; }
.endpoint { display: flex; gap: 0.6rem; align-items: baseline; margin: 0.7rem 0 1rem; }
.endpoint .verb { font-size: 0.75rem; padding: 0.15rem 0.5rem; }
.endpoint code { background: none; border: 0; padding: 0; font-size: 0.9rem; overflow-wrap: anywhere; }
.endpoint em { font-style: normal; color: var(--accent); }

table { width: 100%; border-collapse: collapse; }
thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
tbody th, td { text-align: left; vertical-align: top; padding: 0.7rem 0; border-top: 1px solid var(--line); font-weight: 400; }
tbody th { width: 42%; padding-right: 1.25rem; }
tbody th .type { display: block; margin: 0; }
.name { font-weight: 650; overflow-wrap: anywhere; }
.type { overflow-wrap: anywhere; color: var(--soft); font-size: 0.8125rem; margin-left: 0.4rem; }
.type code { font-size: 0.95em; }
.required { color: var(--put); font-size: 0.75rem; font-weight: 600; margin-left: 0.4rem; }
td p:last-child, li p:last-child { margin-bottom: 0; }
td p, .fields p { margin-bottom: 0.2rem; }
.rules { color: var(--soft); font-size: 0.8125rem; }
.values code { display: inline-block; margin: 0.1rem 0; line-height: 1.4; }
.fields { list-style: none; margin: 0; padding: 0; }
.fields > li { padding: 0.65rem 0; border-top: 1px solid var(--line); }
.fields details { margin-top: 0.5rem; border: 1px solid var(--line); border-radius: 8px; padding: 0.4rem 0.8rem; }
.fields summary, .aside summary { font-size: 0.8125rem; font-weight: 600; }
.fields details[open] > summary { margin-bottom: 0.4rem; }
.aside { margin: 0.75rem 0; }
.aside p { font-size: 0.8125rem; margin-top: 0.5rem; }
.failures { list-style: none; margin: 0 0 0.6rem; padding: 0; }
.failures li { display: flex; align-items: baseline; padding: 0.45rem 0; border-top: 1px solid var(--line); font-size: 0.875rem; }
.failures .status { text-decoration: underline; text-underline-offset: 0.2em; }

.variants { margin-top: 0.5rem; }
.variants > details { margin-top: 0.4rem; border: 1px solid var(--line); border-radius: 8px; padding: 0.4rem 0.8rem; }
.variants > details > summary { font-size: 0.875rem; font-weight: 400; }
.variants > details > .code { margin: 0.6rem 0; }

.code { position: relative; margin: 0; border: 1px solid var(--code-line); border-radius: 10px; overflow: clip; background: var(--code-page); color: var(--code-text); }
.code figcaption { padding: 0.5rem 1rem; font-size: 0.75rem; font-weight: 600; color: var(--code-soft); border-bottom: 1px solid var(--code-line); }
.code pre { margin: 0; padding: 0.85rem 1rem; overflow: auto; max-height: 32rem; line-height: 1.6; font-size: 0.8125rem; scrollbar-width: thin; scrollbar-color: var(--code-soft) transparent; }
.code pre:focus-visible { outline-offset: -2px; outline-color: var(--code-key); }
.code code { font-size: inherit; }
.copy { position: absolute; right: 0.5rem; top: 0.35rem; font: 600 0.75rem/1.4 var(--sans); color: var(--code-text); background: var(--code-page);
  border: 1px solid var(--code-soft); border-radius: 6px; padding: 0.15rem 0.55rem; min-height: 1.5rem; cursor: pointer; }
.copy:hover { background: var(--code-line); }
.copy:focus-visible { outline-color: var(--code-key); }
.tabs fieldset { display: flex; gap: 0.15rem; margin: 0; padding: 0.35rem 5rem 0.35rem 0.5rem; border: 0; border-bottom: 1px solid var(--code-line); }
.tabs legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.tabs label { position: relative; cursor: pointer; }
.tabs input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
.tabs label span { display: block; font-size: 0.75rem; font-weight: 600; line-height: 1.5; padding: 0.15rem 0.55rem; border-radius: 6px; color: var(--code-soft); }
.tabs input:checked + span { color: var(--code-text); background: var(--code-line); }
.tabs input:focus-visible + span { outline: 2px solid var(--code-key); }
.tab { display: none; }
.tabs:has([value="shell"]:checked) .shell, .tabs:has([value="typescript"]:checked) .typescript, .tabs:has([value="python"]:checked) .python { display: block; }
.comment { color: var(--code-soft); }
.key { color: var(--code-key); }
.string { color: var(--code-string); }
.literal { color: var(--code-literal); }
.guide .code { margin-bottom: 1rem; }

@media (max-width: 75rem) {
  .operation, .hero, .document { grid-template-columns: minmax(0, 1fr); }
  .examples { position: static; margin-top: 1rem; }
  .contents { display: none; }
}
@media (max-width: 56rem) {
  body { display: block; }
  .bar { padding-inline: 1rem; gap: 0.75rem; }
  .bar .button { display: block; font: inherit; font-weight: 550; cursor: pointer; }
  .bar kbd { display: none; }
  .bar input { padding-right: 0.8rem; }
  #menu { display: none; }
  #menu:popover-open { display: block; position: fixed; inset: var(--bar) 0 0; width: 100%; max-width: none; max-height: none;
    height: auto; border: 0; font-size: 1rem; }
  #menu .operations { font-size: 0.9375rem; }
  #menu a { padding-block: 0.45rem; }
  main { padding-top: 1.75rem; }
  h1, .title h1, .text h1 { font-size: 1.75rem; }
  .anchor { display: none; }
}
@media (max-width: 34rem) {
  .brand span { display: none; }
  table:not(.data), :not(.data) > tbody, :not(.data) > tbody > tr, :not(.data) > tbody > tr > * { display: block; width: 100%; }
  :not(.data) > tbody > tr > th { padding: 0.7rem 0 0.2rem; }
  :not(.data) > tbody > tr > td { border-top: 0; padding: 0 0 0.7rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .starts a, #menu a { transition: background-color 0.1s; }
}
@media print {
  #menu, .bar, .anchor, .copy, .contents, fieldset { display: none; }
  body, .operation { display: block; }
  .code pre { max-height: none; white-space: pre-wrap; }
}
`

/** Of pages with a table that readers can filter. */
export const FILTER_STYLE = `
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 0.6rem 1rem; margin: 1rem 0; font-size: 0.875rem; }
.filters label { display: flex; flex-direction: column; gap: 0.2rem; }
.filters label:has([type="checkbox"]) { flex-direction: row; align-items: center; gap: 0.4rem; min-height: 2.1rem; }
.filters select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: 6px; padding: 0.35rem 0.5rem;
  max-width: 14rem; }
.filters [type="checkbox"] { width: 1.05rem; height: 1.05rem; margin: 0; accent-color: var(--accent); }
.filters .button { font: inherit; font-weight: 550; cursor: pointer; }
.filters output { padding: 0.35rem 0; color: var(--soft); }
.document:has([data-filters]) { grid-template-columns: minmax(0, 1fr); }
.document:has([data-filters]) .contents { display: none; }
[data-filters] { max-height: 80vh; overflow: auto; border: 1px solid var(--line); border-radius: 8px; }
[data-filters] th { position: sticky; top: 0; z-index: 1; background: var(--panel); padding: 0.6rem 0.75rem; white-space: nowrap; }
[data-filters] td { padding-inline: 0.75rem; vertical-align: top; }
[data-filters] code { white-space: nowrap; }
[data-filters] :is(th, td):first-child { position: sticky; left: 0; background: var(--page); font-weight: 600; }
[data-filters] th:first-child { z-index: 2; background: var(--panel); }
`
