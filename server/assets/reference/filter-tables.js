// Filters the rows of long tables. In the pages that have one, behind the script of all pages; without it, the whole table is there.

filterTables()

function filterTables() {
  for (const place of document.querySelectorAll('[data-filters]')) addFilters(place)
}

// A choice above a long table for each column that it names, and a box for each that says `no` where something does not work.
// A cell has values between commas, `all`, or `all but` values. What is chosen stands in the address.
function addFilters(place) {
  const { tHead, tBodies } = place.querySelector('table')
  const titles = [...tHead.rows[0].cells].map((cell) => cell.textContent)
  const rows = [...tBodies[0].rows].map((row) => ({ row, texts: [...row.cells].map((cell) => cell.textContent) }))
  const form = document.createElement('form')
  form.className = 'filters'
  const count = document.createElement('output')
  const asked = new URLSearchParams(location.search)
  const named = (name) => place.dataset[name].split(', ').map((title) => ({ title, column: titles.indexOf(title) }))
  for (const { title, column } of named('filters')) {
    const select = document.createElement('select')
    const values = new Set(rows.flatMap(({ texts }) => valuesIn(texts[column]).values))
    const hasAll = rows.some(({ texts }) => texts[column].startsWith('all'))
    const options = [...values].map((value) => new Option(nameOf(title, value), value))
    options.sort((one, other) => one.text.localeCompare(other.text, 'en'))
    select.append(new Option('any', ''), ...options, ...(hasAll ? [new Option('another one', 'other')] : []))
    form.append(labelled(title, select))
  }
  for (const { title } of named('works')) {
    const box = document.createElement('input')
    box.type = 'checkbox'
    form.append(labelled(title, box))
  }
  for (const control of form.elements) {
    const value = asked.get(control.name) ?? ''
    if (control.type === 'checkbox') control.checked = value === 'on'
    else if ([...control.options].some((option) => option.value === value)) control.value = value
  }
  const reset = document.createElement('button')
  reset.type = 'reset'
  reset.className = 'button'
  reset.textContent = 'Clear'
  form.append(reset, count)
  const show = () => {
    const chosen = [...new FormData(form)].filter(([, value]) => value !== '')
    for (const { row, texts } of rows) {
      row.hidden = !chosen.every(([title, value]) => {
        const text = texts[titles.indexOf(title)]
        return value === 'on' ? text !== 'no' : hasValue(text, value)
      })
    }
    count.textContent = `${rows.filter(({ row }) => !row.hidden).length} of ${rows.length}`
    return chosen
  }
  const change = () => {
    const query = new URLSearchParams(show()).toString()
    history.replaceState(null, '', `${location.pathname}${query && `?${query}`}${location.hash}`)
  }
  form.addEventListener('change', change)
  form.addEventListener('submit', (event) => event.preventDefault())
  // The controls have their first values only after the event.
  form.addEventListener('reset', () => setTimeout(change))
  place.before(form)
  show()
}

function labelled(title, control) {
  const label = document.createElement('label')
  control.name = title
  const text = document.createElement('span')
  text.textContent = title
  label.append(...(control.type === 'checkbox' ? [control, text] : [text, control]))
  return label
}

function valuesIn(text) {
  const isBut = text.startsWith('all but ')
  const list = text === 'all' ? '' : text.replace('all but ', '')
  return { isBut: isBut || text === 'all', values: list === '' ? [] : list.split(', ') }
}

function hasValue(text, value) {
  const { isBut, values } = valuesIn(text)
  return values.includes(value) !== isBut
}

/** Codes have names, in columns of these titles. */
function nameOf(title, code) {
  const type = { Countries: 'region', Currencies: 'currency' }[title]
  return type ? `${new Intl.DisplayNames('en', { type }).of(code)} (${code})` : code
}
