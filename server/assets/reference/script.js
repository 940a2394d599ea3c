// Helps readers of the API reference. Every page works without it: search is a form, and languages are radio buttons.

addCopyButtons()
rememberLanguage()
followReading()
searchWhileTyping()

function addCopyButtons() {
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', `Copy: ${figure.querySelector('pre').getAttribute('aria-label')}`)
    button.addEventListener('click', async () => {
      const shown = [...figure.querySelectorAll('pre')].find((pre) => pre.offsetParent !== null)
      const isCopied = await copy(shown.textContent)
      button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
      if (!isCopied) getSelection().selectAllChildren(shown)
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2000)
    })
    figure.append(button)
  }
}

/** Browsers allow it on https and on this machine only. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** A language chosen once is chosen for all examples, and for later pages. */
function rememberLanguage() {
  const choose = (language) => {
    for (const radio of document.querySelectorAll('.tabs input')) radio.checked = radio.value === language
  }
  const stored = storage((store) => store.getItem('docs-language'))
  if (stored && document.querySelector(`.tabs input[value="${CSS.escape(stored)}"]`)) choose(stored)
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.tabs input')) return
    const top = target.getBoundingClientRect().top
    choose(target.value)
    // Examples above may have grown or shrunk. What the reader looks at stays where it is.
    scrollBy(0, target.getBoundingClientRect().top - top)
    storage((store) => store.setItem('docs-language', target.value))
  })
}

/** A browser may forbid storage. */
function storage(use) {
  try {
    return use(localStorage)
  } catch {
    return null
  }
}

/** Marks the section that is being read in the list beside it. */
function followReading() {
  const menu = document.getElementById('menu')
  bringIntoView(menu, menu.querySelector('[aria-current]'))
  const links = new Map([...document.querySelectorAll('.contents a')].map((link) => [link.hash.slice(1), link]))
  const targets = [...links.keys()].map((id) => document.getElementById(id)).filter((target) => target !== null)
  if (targets.length === 0) return
  const mark = () => {
    const read = targets.filter((target) => target.getBoundingClientRect().top < 140).at(-1)
    for (const [id, link] of links) {
      if (id === read?.id) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    }
  }
  let isWaiting = false
  document.addEventListener(
    'scroll',
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => {
        isWaiting = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}

/** Scrolls the list alone; `scrollIntoView` would scroll the page, too. */
function bringIntoView(list, link) {
  if (!link || !list.contains(link)) return
  const outer = list.getBoundingClientRect()
  const inner = link.getBoundingClientRect()
  if (inner.top < outer.top + 40) list.scrollTop -= outer.top + 80 - inner.top
  if (inner.bottom > outer.bottom - 40) list.scrollTop += inner.bottom - outer.bottom + 80
}

function searchWhileTyping() {
  const input = document.getElementById('search')
  const list = document.createElement('div')
  list.id = 'found'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Results')
  list.hidden = true
  input.form.append(list)
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', 'found')
  input.setAttribute('aria-expanded', 'false')

  let asked = 0
  let timer = 0

  const show = (found) => {
    list.replaceChildren(...found.map(option))
    list.hidden = found.length === 0
    input.setAttribute('aria-expanded', String(found.length > 0))
    select(found.length > 0 ? 0 : -1)
  }

  const select = (index) => {
    const options = [...list.children]
    for (const [at, one] of options.entries()) one.setAttribute('aria-selected', String(at === index))
    const chosen = options[index]
    if (!chosen) return input.removeAttribute('aria-activedescendant')
    input.setAttribute('aria-activedescendant', chosen.id)
    chosen.scrollIntoView({ block: 'nearest' })
  }

  const ask = async () => {
    asked += 1
    const turn = asked
    const query = input.value.trim()
    if (query === '') return show([])
    try {
      const answer = await fetch(`/docs/search?q=${encodeURIComponent(query)}`, { headers: { accept: 'application/json' } })
      const found = answer.ok ? await answer.json() : []
      // A slow answer to an earlier question must not replace a newer one.
      if (turn === asked) show(found)
    } catch {
      // Offline: the form still leads to the page of results.
      show([])
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(ask, 80)
  })
  input.addEventListener('keydown', (event) => {
    const options = [...list.children]
    const at = options.findIndex((one) => one.getAttribute('aria-selected') === 'true')
    if (event.key === 'Escape') {
      if (list.hidden) input.blur()
      clearTimeout(timer)
      asked += 1
      show([])
      event.preventDefault()
    }
    if (list.hidden) return
    if (event.key === 'ArrowDown') select((at + 1) % options.length)
    else if (event.key === 'ArrowUp') select((at - 1 + options.length) % options.length)
    else if (event.key === 'Enter' && options[at]) options[at].click()
    else return
    event.preventDefault()
  })
  input.form.addEventListener('focusout', (event) => {
    if (!input.form.contains(event.relatedTarget)) show([])
  })
  // A press on a result must not take the focus from the field first, which would close the list.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', () => show([]))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.matches('input:not([type=radio]), textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

function option({ title, detail, href }, index) {
  const link = document.createElement('a')
  link.id = `found-${index}`
  link.href = href
  link.tabIndex = -1
  link.setAttribute('role', 'option')
  const name = document.createElement('span')
  name.textContent = title
  const where = document.createElement('span')
  where.className = 'where'
  where.textContent = detail
  link.append(name, where)
  return link
}
