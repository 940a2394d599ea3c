import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'
import { UnreadableReport } from './reports.ts'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size)
}

async function linesOf(content: string | Uint8Array, size = 7): Promise<string[]> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const texts: string[] = []
  for await (const { number, text } of readLines(inChunks(bytes, size))) {
    texts.push(text)
    expect(number).toBe(texts.length)
  }
  return texts
}

test.each([1, 2, 3, 5, 1_000])('reads the same lines from chunks of %i bytes', async (size) => {
  expect(await linesOf('one\n\ntwo Müller €\r\n\r\nlast\n', size)).toEqual([
    'one',
    '',
    'two Müller €',
    '',
    'last',
  ])
})

test.each([
  ['an empty file', '', 1, 'empty'],
  ['a file that was cut off in a line', 'one\ntwo\nthr', 3, 'cut off'],
  ['text that is not UTF-8', Buffer.from('one\ntwo\nM\xfcller\n', 'latin1'), 3, 'not UTF-8'],
  ['a line that never ends', `one\n${'x'.repeat(70_000)}`, 2, 'more than 65536 bytes'],
  ['a line that is too long', `one\n${'x'.repeat(70_000)}\ntwo\n`, 2, 'more than 65536 bytes'],
])('says in which line the mistake is: %s', async (_name, content, line, words) => {
  for (const size of [11, 1_000_000]) {
    const error = await linesOf(content, size).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(UnreadableReport)
    expect(error).toMatchObject({ line, message: expect.stringContaining(words) })
  }
})

test('reads on only as fast as its lines are taken', async () => {
  let given = 0
  async function* endless() {
    while (true) {
      given++
      yield Buffer.from('line\n')
    }
  }

  const lines = readLines(endless())
  for (let index = 0; index < 3; index++) await lines.next()
  await lines.return(undefined)

  expect(given).toBe(3)
})
