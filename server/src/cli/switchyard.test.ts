import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startSwitchyard, switchyard, switchyardProcess } from '#testing/command-line.ts'

const VAULT = 'There are vault rotate, vault import, vault import-key, vault export, vault export-share.'

const COMMANDS = ['serve', 'migrate', 'token', 'keys create', 'keys list', 'keys disable', 'doctor', 'verify']

describe('help', () => {
  test.each([['--help'], ['help']])('"switchyard %s" lists every command', async (word) => {
    const { code, stdout, stderr } = await switchyard([word])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of COMMANDS) expect(stdout).toContain(`\n  ${name} `)
  })

  test('of a group lists its commands', async () => {
    const { code, stdout } = await switchyard(['keys', '--help'])

    expect(code).toBe(0)
    expect(stdout.match(/^ {2}keys \w+/gm)).toEqual(['  keys create', '  keys list', '  keys disable'])
  })

  test.each(COMMANDS)('of %s has usage, options and an example', async (name) => {
    const { stdout: help } = await switchyard([...name.split(' '), '--help'])

    expect(help).toContain(`\n\nUsage: switchyard ${name}`)
    expect(help).toMatch(/\nOptions:\n(.*\n)* {2}--help /)
    expect(help).toMatch(/\nExample:\n {2}.*switchyard/)
  })

  test.each([[['keys', 'create', '--help']], [['help', 'keys', 'create']]])(
    'of a command is shown for %j',
    async (args) => {
      const { code, stdout, stderr } = await switchyard(args)

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('Usage: switchyard keys create --display-name NAME')
      expect(stdout).toContain('\nExample:\n')
    },
  )
})

test('--version prints the version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

  expect(await switchyard(['--version'])).toEqual({ code: 0, stdout: `switchyard ${version}\n`, stderr: '' })
})

describe('a wrong command line ends with 2 and says what exists', () => {
  test.each([
    [[], 'A command is missing. There are\n  serve\n  migrate\n  token\n'],
    [['tokn'], 'There is no command "tokn". Did you mean token?\n'],
    [['key', 'create'], 'There is no command "key". Did you mean keys create?\n'],
    [['keys', 'creat'], 'There is no command "keys creat". Did you mean keys create?\n'],
    [['zzz'], 'There is no command "zzz". There are\n  serve\n'],
    [['toString'], 'There is no command "toString".'],
    [['keys'], '"keys" alone is no command. There are keys create, keys list, keys disable.'],
    [['keys', 'drop'], 'There is no command "keys drop". There are keys create, keys list, keys disable.'],
    [['vault'], `"vault" alone is no command. ${VAULT}`],
    [['vault', 'turn'], `There is no command "vault turn". ${VAULT}`],
    [['help', 'tokn'], 'There is no command "tokn".'],
    [['token', '--scope', 'x'], "Unknown option '--scope'. Did you mean --scopes?\n"],
    [['token', '--zzz', 'x'], 'Unknown option \'--zzz\'. The options of "switchyard token" are --scopes, '],
    [['token', '--scopes', 'transaction.read'], 'Did you mean transactions.read?\n'],
    [['token', '--scopes', 'zzz.read'], 'No operation takes the scope "zzz.read". There are\n  '],
    [['trigger', 'transaction.capture'], 'cannot be triggered. Did you mean transaction.captured?\n'],
    [
      ['keys', 'create', '--display-name', 'a'],
      '--role SLUG is missing. What the key may do, such as processing; administrator is everything.',
    ],
    [['token', '--key'], "Option '--key <value>' argument missing."],
    [['token', 'now'], '"switchyard token" takes options only; "now" is one word too many.'],
    [['keys', 'create'], '--display-name NAME is missing.'],
    [
      ['keys', 'create', '--display-name', 'a', '--role', 'b', '--algorithm', 'DSA'],
      '--algorithm must be ECDSA, Ed25519 or RSA',
    ],
    [['keys', 'disable'], '"switchyard keys disable" needs ID.'],
    [['verify', '--head', 'x'], '--head must be'],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await switchyard(args)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).toMatch(/\nSee: switchyard .*--help\n$/)
  })
})

test('a wrong configuration ends with 1 and names the variable', async () => {
  const { code, stdout, stderr } = await switchyard(['keys', 'list'], { PORT: 'many' })

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^The configuration is not valid\.\nPORT must be a whole number .*\n$/)
})

describe('a process of its own', () => {
  test.each<[readonly string[], Record<string, string>]>([
    [['--version'], {}],
    [['keys', 'list'], { PORT: 'many' }],
    [['keys'], {}],
  ])('ends %j as the tests of the commands say, who run them in theirs', async (args, env) => {
    expect(await switchyardProcess(args, env)).toEqual(await switchyard(args, env))
  })

  test('does not fail when its reader has gone', async () => {
    const child = startSwitchyard(['--help'], {})
    child.stdout?.destroy()
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += chunk
    })

    const [code] = await once(child, 'close')

    expect({ code, said }).toEqual({ code: 0, said: '' })
  })
})
