import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { qrSquares } from './qr.ts'

const ADDRESS = 'https://pay.example.com/pay/default/0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005/'

function drawing(text: string): string {
  const rows = qrSquares(text) ?? []
  return rows.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join('')).join('\n')
}

describe('QR codes', () => {
  // A reader of another project (zbar 0.23) has read each of these drawings, and those of all sizes between.
  test.each([
    ['one of the smallest size', 'PAY', 21, 'cae2f6289195fd23'],
    ['one of two blocks', ADDRESS, 37, '724c51338e6ecfb5'],
    ['one that names its version', ADDRESS + 'k'.repeat(43), 45, '51ba1abaf25cf524'],
    ['one whose length takes two bytes', ADDRESS + 'k'.repeat(120), 57, '760dc62356c4c34c'],
  ])('draws %s', (_name, text, side, digest) => {
    const drawn = drawing(text)

    expect(drawn.split('\n')).toHaveLength(side)
    expect(createHash('sha256').update(drawn).digest('hex').slice(0, 16)).toBe(digest)
  })

  test('draws no text that is too long', () => {
    expect(qrSquares('k'.repeat(213))).toBeDefined()
    expect(qrSquares('k'.repeat(214))).toBeUndefined()
  })
})
