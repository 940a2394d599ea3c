import { describe, expect, test } from 'vitest'
import { type CsvLine, csvLine, readCsv } from './csv.ts'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string | Uint8Array, chunkSize = 1_000): Promise<CsvLine[]> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const lines: CsvLine[] = []
  for await (const some of readCsv(inChunks(bytes, chunkSize))) lines.push(...some)
  return lines
}

const QUOTE_PROBLEM = 'a quote is not closed, or stands inside a field'

test.each<[string, string, (string[] | string)[]]>([
  [
    'plain fields',
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a last line without an end',
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'Windows line ends',
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a byte order mark', '\uFEFFa,b\n', [['a', 'b']]],
  [
    'empty fields',
    ',\n,,\n',
    [
      ['', ''],
      ['', '', ''],
    ],
  ],
  ['quoted fields', '"a","b"\n', [['a', 'b']]],
  ['commas and quotes in quotes', '"a,b","say ""hi"""\n', [['a,b', 'say "hi"']]],
  ['empty quotes', '"",x\n', [['', 'x']]],
  ['quotes beside plain fields', 'a,"b",c\n', [['a', 'b', 'c']]],
  ['a last empty field after quotes', '"a",\n', [['a', '']]],
  ['a quote that is not closed', '"a,b\nc,d\n', [QUOTE_PROBLEM, ['c', 'd']]],
  ['a quote inside a field', 'a"b,c\n', [QUOTE_PROBLEM]],
  ['text after a closing quote', '"a"b,c\n', [QUOTE_PROBLEM]],
  ['other alphabets', 'Überbank,銀行\n', [['Überbank', '銀行']]],
])('reads %s, wherever the chunks end', async (_name, text, expected) => {
  for (const size of [1, 2, 3, 1_000]) {
    const lines = await read(text, size)
    expect(lines.map((line) => ('fields' in line ? line.fields : line.problem))).toEqual(expected)
  }
})

test('skips empty lines, but counts them', async () => {
  const lines = await read('\n\na\n  \r\n\nb\n\n')

  expect(lines.map(({ number }) => number)).toEqual([3, 6])
})

test('an empty file has no lines', async () => {
  expect(await read('')).toEqual([])
  expect(await read('\uFEFF')).toEqual([])
})

test.each([
  ['bytes that are no text', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), 'not UTF-8'],
  ['a NUL', Buffer.from('a,b\n\0\n'), 'not a text file'],
  ['another encoding', Buffer.from('a\nBanco do Brás\n', 'latin1'), 'Line 2 is not UTF-8'],
  ['text that ends within a character', Buffer.from('a,ü').subarray(0, 3), 'not UTF-8'],
  ['a line without end', Buffer.alloc(50_000, 'x'), 'Line 1 has more than 10000'],
  ['a line without end, later', Buffer.from(`a\nb\n${'x'.repeat(50_000)}`), 'Line 3 has more than 10000'],
])('refuses %s', async (_name, bytes, message) => {
  await expect(read(bytes)).rejects.toThrow(message)
})

test('counts lines over chunks that end within a character', async () => {
  const bytes = Buffer.concat([Buffer.from('a,ü\nb,ü\nc,'), Buffer.from('Brás\n', 'latin1')])

  for (const size of [1, 2, 3, 4, 5, 7, 100]) {
    await expect(read(bytes, size), `chunks of ${size}`).rejects.toThrow('Line 3 is not UTF-8')
  }
})

test('splits joined rows into the same fields', async () => {
  const letters = ['a', ',', '"', 'ü', ' ', '']
  const randomField = () => Array.from({ length: 5 }, () => letters[Math.floor(Math.random() * 6)]).join('')
  const rows = Array.from({ length: 500 }, () => ['x', randomField(), randomField()])
  const text = rows.map((row) => row.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')).join('\n')

  const lines = await read(text, 7)

  expect(lines.map((line) => ('fields' in line ? line.fields : line))).toEqual(rows)
})

describe('a line that is written', () => {
  test.each([
    ['plain text', ['a', 'b c'], 'a,b c'],
    ['nothing', [null, '', null], ',,'],
    [
      'commas, quotes and line breaks',
      ['a,b', 'say "hi"', 'two\nlines', 'two\r\nlines'],
      '"a,b","say ""hi""","two\nlines","two\r\nlines"',
    ],
    ['numbers', ['-5', '0', '1299', '-0.25'], '-5,0,1299,-0.25'],
    ['formulas', ['=1+1', '+1', '-1+1', '@SUM(A1)'], "'=1+1,'+1,'-1+1,'@SUM(A1)"],
    ['a tab or a carriage return first', ['\t=1', '\r=1'], "'\t'=1,\"'\r=1\""],
    ['wide signs', ['＝1+1', '＋1', '－1', '＠SUM(A1)'], "'＝1+1,'＋1,'－1,'＠SUM(A1)"],
    [
      'formulas where a semicolon or a tab would begin a cell',
      ['a;=1+1', ';@SUM(A1)', 'a\t+1', 'x;＝1;-1', 'a; b'],
      "a;'=1+1,;'@SUM(A1),a\t'+1,x;'＝1;'-1,a; b",
    ],
    [
      'a formula with a quote',
      ['=HYPERLINK("http://evil.example","x")'],
      '"\'=HYPERLINK(""http://evil.example"",""x"")"',
    ],
    ['signs in the middle', ['a=b', '1-2', 'x@example.com'], 'a=b,1-2,x@example.com'],
  ])('has %s', (_name, fields, expected) => {
    expect(csvLine(fields)).toBe(`${expected}\r\n`)
  })

  test('is read as what was written, whatever it holds', async () => {
    const letters = ['a', ',', '"', 'ü', ' ', '7', '.']
    const randomField = () =>
      `x${Array.from({ length: 5 }, () => letters[Math.floor(Math.random() * 7)]).join('')}`
    const rows = Array.from({ length: 500 }, () => [randomField(), randomField(), randomField()])

    const lines = await read(rows.map(csvLine).join(''), 7)

    expect(lines.map((line) => ('fields' in line ? line.fields : line))).toEqual(rows)
  })
})
