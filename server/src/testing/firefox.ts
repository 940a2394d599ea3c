#!/usr/bin/env node
// Starts a Firefox of FIREFOX_PATH for Playwright, which speaks WebDriver BiDi with it. The releases of Debian are older than the words
// that Playwright uses, so Firefox is taught those before Playwright hears where it listens: by Marionette, whose scripts may do what
// the browser's own code may.
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const BIDI = /WebDriver BiDi listening on/
const MARIONETTE = /Marionette\s+INFO\s+Listening on port (\d+)/
const LOOK_FOR_PARENT_MS = 2_000

const args = [...process.argv.slice(2), '--marionette', '--remote-allow-system-access']
const browser = spawn(process.env['FIREFOX_PATH'] ?? 'firefox-esr', args, {
  stdio: ['ignore', 'pipe', 'pipe'],
})
browser.once('error', ({ message }) => process.stderr.write(`${message}\n`))
browser.once('close', (code) => process.exit(code ?? 1))

// A test run that was killed leaves no browser behind.
const parent = process.ppid
setInterval(() => process.ppid === parent || browser.kill('SIGKILL'), LOOK_FOR_PARENT_MS)

const [[address], [, port]] = await Promise.all([heard(BIDI), heard(MARIONETTE)])
await teach(Number(port))
process.stderr.write(`${address}\n`)

/** The line in which Firefox says it. All others are passed on. */
function heard(pattern: RegExp): Promise<string[]> {
  return new Promise((resolve) => {
    for (const input of [browser.stdout, browser.stderr])
      createInterface({ input }).on('line', (line) => {
        const found = pattern.exec(line)
        if (found) resolve([line, ...found.slice(1)])
      })
  })
}

async function teach(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const messages = messagesOf(socket)
  await messages.next()
  let id = 0
  const ask = async (command: string, params: object = {}) => {
    const text = JSON.stringify([0, ++id, command, params])
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    const [, , error] = (await messages.next()).value as unknown[]
    if (error) throw new Error(`Firefox refused ${command}: ${JSON.stringify(error)}`)
  }
  await ask('WebDriver:NewSession')
  await ask('Marionette:SetContext', { value: 'chrome' })
  // What is learnt has to outlive the window, so it stands in a sandbox of its own.
  const script = `const sandbox = Cu.Sandbox(Services.scriptSecurityManager.getSystemPrincipal())
    Object.assign(sandbox, { ChromeUtils, Services })
    Cu.evalInSandbox(arguments[0], sandbox)`
  await ask('WebDriver:ExecuteScript', {
    script,
    args: [`(${learn})(${JSON.stringify(`(${learnInPages})()`)})`],
  })
  await ask('WebDriver:DeleteSession')
  socket.end()
}

/** Each message follows its length and a colon. */
async function* messagesOf(socket: NodeJS.ReadableStream): AsyncGenerator<unknown> {
  let rest = Buffer.alloc(0)
  for await (const data of socket) {
    rest = Buffer.concat([rest, data as Buffer])
    for (let start = rest.indexOf(':') + 1; start > 0; start = rest.indexOf(':') + 1) {
      const end = start + Number(rest.subarray(0, start - 1))
      if (rest.length < end) break
      yield JSON.parse(rest.toString('utf8', start, end))
      rest = rest.subarray(end)
    }
  }
}

/** What runs in Firefox is typed here: this file runs in Node. */
type Context = {
  readonly browserId: number
  readonly isContent: boolean
  readonly parent: Context | null
  prefersColorSchemeOverride: string
  forceOffline: boolean
}
type Command = (params: {
  readonly contexts?: readonly string[]
  readonly userContexts?: readonly string[]
  readonly features?: Readonly<Record<string, string>>
  readonly networkConditions?: object | null
  readonly locale?: string
}) => void
type Module = { readonly prototype: Record<string, unknown> }
type Frame = { readonly context: string }
type Windows = {
  readonly messageHandler: {
    readonly handleCommand: (
      command: object,
    ) => Promise<{ readonly result: { readonly value: readonly { readonly value: Frame }[] } }>
  }
  locateNodes: (
    this: Windows,
    asked: {
      readonly context: string
      readonly locator: { readonly type: string; readonly value: string | Frame }
    },
  ) => Promise<{ readonly nodes: readonly object[] }>
}
type Reference = { readonly unsafeDereference: () => unknown }
type Realm = {
  readonly isSandbox: boolean
  readonly globalObjectReference: Reference
  readonly executeInGlobal: (text: string) => { readonly return?: unknown; readonly throw?: unknown }
  executeInGlobalWithBindings: (
    this: Realm,
    declaration: string,
    values: readonly unknown[],
    self: unknown,
  ) => unknown
}
declare const ChromeUtils: {
  readonly importESModule: (url: string) => {
    readonly modules: { readonly root: Readonly<Record<string, Module>> }
    readonly TabManager: {
      readonly browsers: readonly { readonly browsingContext: Context }[]
      readonly getBrowsingContextById: (id: string) => Context | null
    }
    readonly WindowRealm: { readonly prototype: Realm }
    readonly UserContextManager: { readonly getIdByBrowsingContext: (context: Context) => string }
  }
}
declare const Cu: { readonly exportFunction: (work: (text: string) => unknown, to: unknown) => unknown }
declare const Services: {
  readonly ppmm: { readonly loadProcessScript: (url: string, isForFutureOnes: boolean) => void }
  readonly obs: { readonly addObserver: (see: (context: Context) => void, topic: string) => void }
  readonly prefs: { readonly setStringPref: (name: string, value: string) => void }
}

/** Adds the commands that this Firefox does not have. It runs in Firefox, and knows nothing of this file. */
function learn(forPages: string): void {
  const take = (path: string) => ChromeUtils.importESModule(`chrome://remote/content/${path}.sys.mjs`)
  const { modules } = take('webdriver-bidi/modules/ModuleRegistry')
  const { TabManager } = take('shared/TabManager')
  const { UserContextManager } = take('shared/UserContextManager')
  /** By a window, or by the id of a user context. */
  const schemes = new Map<number | string, string>()
  const offline = new Set<string>()

  const dress = (context: Context) => {
    if (context.parent || !context.isContent) return
    const owner = UserContextManager.getIdByBrowsingContext(context)
    context.prefersColorSchemeOverride = schemes.get(context.browserId) ?? schemes.get(owner) ?? 'none'
    context.forceOffline = offline.has(owner)
  }
  const dressAll = () => {
    for (const { browsingContext } of TabManager.browsers) dress(browsingContext)
  }
  // A window may get another context when it leaves for another origin.
  Services.obs.addObserver(dress, 'browsing-context-attached')

  const nothing: Command = () => {}
  const commands: Readonly<Record<string, Command>> = {
    'browser.setDownloadBehavior': nothing,
    'network.addDataCollector': nothing,
    'emulation.setScreenOrientationOverride': nothing,
    'emulation.setScreenSettingsOverride': nothing,
    'emulation.setMediaFeaturesOverride': ({ features, contexts = [], userContexts = [] }) => {
      const scheme = features?.['prefers-color-scheme'] ?? 'none'
      for (const id of userContexts) schemes.set(id, scheme)
      for (const id of contexts) {
        const context = TabManager.getBrowsingContextById(id)
        if (context) schemes.set(context.browserId, scheme)
      }
      dressAll()
    },
    'emulation.setNetworkConditions': ({ networkConditions, userContexts = [] }) => {
      for (const id of userContexts) networkConditions ? offline.add(id) : offline.delete(id)
      dressAll()
    },
    'emulation.setLocaleOverride': ({ locale = 'en-US' }) =>
      Services.prefs.setStringPref('intl.accept_languages', locale),
  }
  for (const [name, command] of Object.entries(commands)) {
    const [module = '', verb = ''] = name.split('.')
    const methods = modules.root[module]?.prototype
    if (methods && !(verb in methods))
      methods[verb] = async (params: Parameters<Command>[0]) => {
        command(params)
        return {}
      }
  }

  // The element of a frame.
  const windows = modules.root['browsingContext']?.prototype as unknown as Windows
  const { locateNodes } = windows
  windows.locateNodes = async function (asked) {
    const { context, locator } = asked
    if (locator.type !== 'context') return locateNodes.call(this, asked)
    const { nodes } = await locateNodes.call(this, { context, locator: { type: 'css', value: 'iframe' } })
    const { result } = await this.messageHandler.handleCommand({
      moduleName: 'script',
      commandName: 'callFunction',
      destination: { type: 'ROOT' },
      params: {
        functionDeclaration: '(...frames) => frames.map((frame) => frame.contentWindow)',
        arguments: nodes,
        target: { context },
        awaitPromise: false,
      },
    })
    const wanted = (locator.value as Frame).context
    return { nodes: nodes.filter((_node, index) => result.value[index]?.value.context === wanted) }
  }

  Services.ppmm.loadProcessScript(`data:,${encodeURIComponent(forPages)}`, true)
}

/**
 * Playwright has the page evaluate a text, which the policy of the page refuses. The debugger may, so `eval` is that of the debugger
 * while Playwright is at work. It runs in the processes of pages.
 */
function learnInPages(): void {
  const { WindowRealm } = ChromeUtils.importESModule('chrome://remote/content/shared/Realm.sys.mjs')
  const { executeInGlobalWithBindings: call } = WindowRealm.prototype
  WindowRealm.prototype.executeInGlobalWithBindings = function (declaration, values, self) {
    if (this.isSandbox || !declaration.includes('utilityScript'))
      return call.call(this, declaration, values, self)
    const rawOf = (found: unknown) =>
      found instanceof Object ? (found as Reference).unsafeDereference() : found
    const evaluate = (text: string) => {
      const done = this.executeInGlobal(text)
      if ('throw' in done) throw rawOf(done.throw)
      return rawOf(done.return)
    }
    const exported = Cu.exportFunction(evaluate, this.globalObjectReference.unsafeDereference())
    const wrapped = `(evaluate, ...values) => {
      const own = globalThis.eval
      globalThis.eval = evaluate
      try { return (${declaration})(...values) } finally { globalThis.eval = own }
    }`
    return call.call(this, wrapped, [exported, ...values], self)
  }
}
