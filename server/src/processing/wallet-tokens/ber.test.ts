import { expect, test } from 'vitest'
import { objectIdOf, readBer, timeOf } from './ber.ts'
import { RefusedToken } from './opened-token.ts'

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex')
}

test('reads values inside values, with lengths known and not known in advance', () => {
  const known = readBer(bytes('30 06 02 01 05 04 01 aa'))
  const unknown = readBer(bytes('30 80 02 01 05 04 01 aa 00 00'))

  for (const { children } of [known, unknown]) {
    expect(children.map(({ tag, content }) => `${tag} ${content.toString('hex')}`)).toEqual(['2 05', '4 aa'])
  }
})

test('keeps a value as it was written', () => {
  const [inner] = readBer(bytes('30 80 30 80 02 01 05 00 00 00 00')).children

  expect(inner?.whole.toString('hex')).toBe('308002010500' + '00')
})

test('reads lengths of several bytes', () => {
  const content = Buffer.alloc(300)

  expect(readBer(Buffer.concat([bytes('04 82 01 2c'), content])).content).toEqual(content)
})

test('names object identifiers as people write them', () => {
  expect(objectIdOf(readBer(bytes('06 09 2a 86 48 86 f7 63 64 06 1d')))).toBe('1.2.840.113635.100.6.29')
  expect(objectIdOf(readBer(bytes('06 09 60 86 48 01 65 03 04 02 01')))).toBe('2.16.840.1.101.3.4.2.1')
})

test('reads both forms of a time', () => {
  const of = (tag: string, text: string) =>
    timeOf(readBer(Buffer.concat([bytes(tag), Buffer.from([text.length]), Buffer.from(text)]))).toISOString()

  expect(of('17', '141027195143Z')).toBe('2014-10-27T19:51:43.000Z')
  expect(of('17', '991231235959Z')).toBe('1999-12-31T23:59:59.000Z')
  expect(of('18', '20510101000000Z')).toBe('2051-01-01T00:00:00.000Z')
  for (const [tag, text] of [
    ['17', '1410271951Z'],
    ['17', '141327195143Z'],
    ['18', '20510101000000+0100'],
    ['04', '141027195143Z'],
  ]) {
    expect(() => of(tag ?? '', text ?? '')).toThrow(RefusedToken)
  }
})

test.each([
  ['nothing', ''],
  ['a tag alone', '30'],
  ['a length beyond the end', '04 05 aa'],
  ['an inner length beyond the outer one', '30 03 04 05 aa'],
  ['a length of five bytes', '04 85 00 00 00 00 01 aa'],
  ['no end mark', '30 80 02 01 05'],
  ['half an end mark', '30 80 02 01 05 00 01'],
  ['an unknown length for bytes', '04 80 aa 00 00'],
  ['bytes after the value', '02 01 05 00'],
  ['a tag of several bytes', '1f 81 01 00'],
  ['too many levels', '30 80'.repeat(40)],
])('refuses %s', (_name, hex) => {
  expect(() => readBer(bytes(hex))).toThrow(RefusedToken)
})

test('refuses an object identifier with a number that is no number of ours', () => {
  expect(() => objectIdOf(readBer(bytes('06 0a ff ff ff ff ff ff ff ff ff 7f')))).toThrow(RefusedToken)
  expect(() => objectIdOf(readBer(bytes('06 00')))).toThrow(RefusedToken)
})
