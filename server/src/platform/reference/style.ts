/** The whole look of the reference page. The page's policy names its hash, so no other style applies. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f8f8; --line: #e2e8e8; --text: #17211f; --soft: #55635f;
  --accent: #0a6b61; --tint: #e3f3f0; --focus: #0b7a6f;
  --get: #1257b0; --get-tint: #e4eefb; --post: #0c6b3a; --post-tint: #e0f4e8;
  --put: #86520a; --put-tint: #fbf0da; --delete: #a92525; --delete-tint: #fce8e6;
  --code-page: #101a1c; --code-line: #22302f; --code-text: #dbe7e5; --code-soft: #8fa5a1;
  --code-key: #7fd1c4; --code-string: #e6c98b; --code-literal: #a9b8ff;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1314; --panel: #141c1d; --line: #253031; --text: #e4ecea; --soft: #9dafab;
    --accent: #62cdbd; --tint: #12302d; --focus: #62cdbd;
    --get: #8db9f5; --get-tint: #16283f; --post: #7fd3a0; --post-tint: #12301f;
    --put: #e8be74; --put-tint: #35280f; --delete: #f29c96; --delete-tint: #3d1a19;
    --code-page: #0a0f10; --code-line: #253031;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 0.9375rem/1.6 var(--sans);
  display: grid; grid-template-columns: 18.5rem minmax(0, 1fr); }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
p { margin: 0 0 0.75rem; }
p code, td code, li > code, dd code { background: var(--panel); border: 1px solid var(--line); border-radius: 4px;
  padding: 0.05em 0.35em; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.012em; margin: 0; text-wrap: balance; }
h1 { font-size: 2.4rem; letter-spacing: -0.028em; }
h2 { font-size: 1.5rem; }
h3 { font-size: 1.2rem; }
h4 { font-size: 0.9375rem; margin: 1.75rem 0 0.5rem; }
.quiet { color: var(--soft); }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--accent); color: var(--page);
  padding: 0.5rem 1rem; border-radius: 6px; z-index: 10; }
.skip:focus { top: 1rem; }

.bar { display: none; }
.brand { display: inline-flex; align-items: center; gap: 0.6rem; color: var(--text); font-weight: 650;
  text-decoration: none; letter-spacing: -0.01em; }
.brand rect { fill: #0b7a6f; }
.brand path { fill: none; stroke: #ffffff; stroke-width: 3; stroke-linecap: round; }
.button { border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.8rem; color: var(--text);
  text-decoration: none; font-weight: 550; background: var(--page); }
#menu { position: sticky; top: 0; height: 100vh; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin;
  background: var(--panel); border-right: 1px solid var(--line); padding: 1.25rem 0.75rem 3rem; font-size: 0.875rem; }
#menu .head { display: flex; justify-content: space-between; align-items: center; padding: 0 0.6rem 1rem; }
#menu .close { display: none; }
#menu summary { display: flex; align-items: baseline; padding: 0.35rem 0.6rem; font-weight: 650; border-radius: 6px; cursor: pointer; }
#menu details { margin-bottom: 0.5rem; }
#menu ul { list-style: none; margin: 0; padding: 0; }
#menu li a { display: flex; gap: 0.55rem; align-items: baseline; padding: 0.25rem 0.6rem; border-radius: 6px;
  color: var(--soft); text-decoration: none; line-height: 1.4; }
#menu li a > span:last-child { min-width: 0; }
#menu li a:hover { background: var(--tint); color: var(--text); }
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

main { min-width: 0; padding: 3.5rem clamp(1.25rem, 4vw, 4rem) 6rem; max-width: 92rem; }
.hero { max-width: 46rem; }
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
.errors { max-width: 46rem; border: 1px solid var(--line); border-radius: 10px; overflow: clip; margin-top: 1rem; }
.errors details + details { border-top: 1px solid var(--line); }
.errors summary { display: flex; align-items: baseline; padding: 0.6rem 1rem; }
.errors summary:hover { background: var(--panel); }

.errors .code { margin: 0.25rem 1rem 1rem; }
.status { flex: none; font: 650 0.8125rem/1.6 var(--mono); color: var(--delete); margin-right: 0.75rem; text-decoration: none; }
.status.good { color: var(--post); margin-right: 0.25rem; }

.tag { margin-top: 5rem; }
.tag > h2 { padding-bottom: 0.9rem; border-bottom: 1px solid var(--line); }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); gap: 1rem 3.5rem; padding: 2.75rem 0 3rem; }
.operation + .operation { border-top: 1px solid var(--line); }
.examples { position: sticky; top: 1.5rem; align-self: start; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; min-width: 0; }
.anchor { color: var(--soft); text-decoration: none; opacity: 0; font-weight: 400; padding: 0 0.2rem; }
h3:hover .anchor, .anchor:focus-visible { opacity: 1; }
:target > .about > h3, .schema:target > h3 { color: var(--accent); }
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
.type { color: var(--soft); font-size: 0.8125rem; margin-left: 0.4rem; }
.type code { font-size: 0.95em; }
.required { color: var(--put); font-size: 0.75rem; font-weight: 600; margin-left: 0.4rem; }
td p:last-child, li p:last-child { margin-bottom: 0; }
td p, .fields p { margin-bottom: 0.2rem; }
.rules { color: var(--soft); font-size: 0.8125rem; }
.values code { display: inline-block; margin: 0.1rem 0; line-height: 1.4; }
.fields { list-style: none; margin: 0; padding: 0; }
.fields > li { padding: 0.65rem 0; border-top: 1px solid var(--line); }
.fields details { margin-top: 0.5rem; border: 1px solid var(--line); border-radius: 8px; padding: 0.4rem 0.8rem; }
.failures summary { display: flex; align-items: baseline; }
.fields summary, .failures summary { font-size: 0.8125rem; font-weight: 600; }
.fields details[open] > summary { margin-bottom: 0.4rem; }
.failures { margin-top: 1.25rem; border: 1px solid var(--line); border-radius: 8px; padding: 0.5rem 0.9rem; }
.failures .quiet { font: 400 0.75rem/1.6 var(--mono); word-spacing: -0.12em; margin-left: 0.5rem; }
.failures ul { list-style: none; margin: 0.5rem 0 0; padding: 0; }
.failures li { display: flex; align-items: baseline; padding: 0.35rem 0; border-top: 1px solid var(--line); font-size: 0.875rem; }
.failures .status { text-decoration: underline; text-underline-offset: 0.2em; }
.schema { max-width: 52rem; padding: 1.75rem 0; }
.schema h3 { font-family: var(--mono); font-size: 1rem; margin-bottom: 0.6rem; }

.code { margin: 0; border: 1px solid var(--code-line); border-radius: 10px; overflow: clip; background: var(--code-page); color: var(--code-text); }
.code figcaption { padding: 0.5rem 1rem; font-size: 0.75rem; font-weight: 600; color: var(--code-soft); border-bottom: 1px solid var(--code-line); }
.code pre { margin: 0; padding: 0.85rem 1rem; overflow: auto; max-height: 32rem; line-height: 1.6; font-size: 0.8125rem; scrollbar-width: thin; scrollbar-color: var(--code-soft) transparent; }
.code pre:focus-visible { outline-offset: -2px; outline-color: var(--code-key); }
.code code { font-size: inherit; }
.key { color: var(--code-key); }
.string { color: var(--code-string); }
.literal { color: var(--code-literal); }
.guide .code, .errors .code { margin-bottom: 1rem; }

@media (max-width: 75rem) {
  .operation { grid-template-columns: minmax(0, 1fr); }
  .examples { position: static; margin-top: 1rem; }
}
@media (max-width: 56rem) {
  html { scroll-padding-top: 4.5rem; }
  body { display: block; }
  .bar { display: flex; justify-content: space-between; align-items: center; position: sticky; top: 0; z-index: 2;
    padding: 0.6rem 1.25rem; background: var(--page); border-bottom: 1px solid var(--line); }
  #menu { display: none; }
  #menu:target { display: block; position: fixed; inset: 0; z-index: 3; height: auto; border: 0; font-size: 1rem; }
  #menu .close { display: block; }
  #menu li a { padding-block: 0.45rem; }
  main { padding-top: 2rem; }
  h1 { font-size: 1.9rem; }
  .tag { margin-top: 3.5rem; }
  .anchor { display: none; }
}
@media (max-width: 34rem) {
  table, tbody, tr, tbody th, td { display: block; width: 100%; }
  tbody th { padding: 0.7rem 0 0.2rem; }
  td { border-top: 0; padding: 0 0 0.7rem; }
  }
@media print {
  #menu, .bar, .anchor { display: none; }
  body, .operation { display: block; }
  .code pre { max-height: none; white-space: pre-wrap; }
}
`
