import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { signatureHeaders } from './sign.ts'

/** The guide's promises to receivers: its test vector, and its programs as a reader would save them. */
const GUIDE = readFileSync('docs/guide/webhooks.md', 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'switchyard-webhooks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))

const secret = fromGuide('secret')
const id = fromGuide('id')
const timestamp = fromGuide('timestamp')
const body = fromGuide('body')
const at = new Date(Number(timestamp) * 1000)
const shown = Object.fromEntries(
  [...GUIDE.matchAll(/^([\w-]*webhook-[\w-]+): (.*)$/gim)].map(([, name = '', value]) => [name, value]),
)
const headers = lowerCase(signatureHeaders([secret], { id, at, body }))

test('the guide’s test vector is right', () => {
  expect(signatureHeaders([secret], { id, at, body })).toEqual(shown)
  expect(Object.keys(shown)).toHaveLength(6)
})

describe('the program for', () => {
  type Sample = [name: string, headers: Record<string, string>, body: string, isOurs: boolean]
  const rotated = lowerCase(signatureHeaders(['another', secret], { id, at, body }))
  const samples: Sample[] = [
    ['a request of ours', headers, body, true],
    ['one signed by two secrets', rotated, body, true],
    ['another body', headers, `${body} `, false],
    ['another secret', lowerCase(signatureHeaders(['another'], { id, at, body })), body, false],
    ['another time', { ...headers, 'x-service-webhook-timestamp': '1794700801' }, body, false],
    ['no signature', { 'x-service-webhook-timestamp': timestamp }, body, false],
    ['no time', { 'x-service-webhook-signatures': shown['X-Service-Webhook-Signatures'] ?? '' }, body, false],
    ['an old one', oldOne(), body, false],
  ]

  test.each(samples)('TypeScript judges %s', async (_name, given, text, expected) => {
    const { isOurs } = await import(save('verify.ts', 'ts'))

    expect(isOurs(secret, given, text, at.getTime())).toBe(expected)
  })

  test.runIf(spawnSync('python3', ['--version']).status === 0)('Python judges the same', () => {
    save('verify.py', 'python')
    const cases = samples.map(([, given, text]) => [given, text])
    const program =
      'import json, sys, verify\n' +
      'secret, now, cases = json.load(sys.stdin)\n' +
      'print(json.dumps([verify.is_ours(secret, headers, body.encode(), now) for headers, body in cases]))'

    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      cwd: folder,
      input: JSON.stringify([secret, Number(timestamp), cases]),
      encoding: 'utf8',
    })

    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(samples.map(([, , , expected]) => expected))
  })

  test('standardwebhooks accepts only fresh, valid signatures', async () => {
    const { readEvent } = await import(save('verify-standard.ts', 'ts'))
    const fresh = lowerCase(signatureHeaders([secret], { id, at: new Date(), body }))

    expect(readEvent(secret, fresh, body)).toEqual(JSON.parse(body))
    expect(() => readEvent('another', fresh, body)).toThrow()
    expect(() => readEvent(secret, fresh, `${body} `)).toThrow()
    expect(() => readEvent(secret, oldOne(), body)).toThrow()
  })
})

function oldOne(): Record<string, string> {
  return lowerCase(signatureHeaders([secret], { id, at: new Date(at.getTime() - 301_000), body }))
}

function fromGuide(name: string): string {
  const [, value] = new RegExp(`^\\| ${name} \\| \`(.*)\` \\|$`, 'm').exec(GUIDE) ?? []
  if (value === undefined) throw new Error(`the guide has no ${name}`)
  return value
}

function save(name: string, language: string): string {
  const blocks = [...GUIDE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const found = blocks.find(
    ([, kind, code]) => kind === language && code?.split('\n')[0]?.endsWith(` ${name}`),
  )
  if (!found?.[2]) throw new Error(`the guide has no ${name}`)
  const file = join(folder, name)
  writeFileSync(file, found[2])
  return file
}

function lowerCase(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
}
