import { describe, expect, test } from 'vitest'
import type { PaymentLinkStatus } from './schemas.ts'
import {
  afterBegin,
  afterPayment,
  objectionToExpire,
  obstacleTo,
  type PaymentOutcome,
  statusAt,
} from './state.ts'

const NOW = new Date('2026-11-15T09:30:00Z')
const later = new Date(NOW.getTime() + 1)

const link = (status: PaymentLinkStatus, expires_at = later) => ({
  status,
  transaction_id: status === 'processing' || status === 'completed' ? 'own' : null,
  tries: 1,
  expires_at,
})

test('a link is expired from its time on', () => {
  expect(statusAt(link('active', later), NOW)).toBe('active')
  expect(statusAt(link('active', NOW), NOW)).toBe('expired')
  expect(statusAt(link('processing', NOW), NOW)).toBe('processing')
})

describe('a payment', () => {
  test.each<[PaymentLinkStatus, number, string | null]>([
    ['active', 1, null],
    ['active', 0, 'outdated'],
    ['active', 2, 'outdated'],
    ['processing', 1, 'processing'],
    ['completed', 1, 'completed'],
    ['expired', 1, 'expired'],
  ])('of a link that is %s, with a form of %i tries, has the obstacle %s', (status, tries, obstacle) => {
    expect(obstacleTo(link(status), { tries, now: NOW })).toBe(obstacle)
  })

  test('takes the link, unless it is over already', () => {
    const begun = { status: 'processing', transaction_id: 'new', tries: 2 }

    expect(afterBegin(link('active'), { id: 'new', isOver: false })).toEqual(begun)
    expect(afterBegin(link('active'), { id: 'new', isOver: true })).toEqual({ status: 'active', tries: 2 })
  })

  test.each<[PaymentLinkStatus, string, PaymentOutcome, object | null]>([
    ['processing', 'own', 'pending', null],
    ['processing', 'own', 'succeeded', { status: 'completed', transaction_id: 'own' }],
    ['processing', 'own', 'failed', { status: 'active', transaction_id: null }],
    ['completed', 'own', 'succeeded', null],
    ['completed', 'own', 'failed', { status: 'active', transaction_id: null }],
    ['processing', 'other', 'failed', null],
    ['processing', 'other', 'succeeded', null],
    ['completed', 'other', 'succeeded', null],
    ['active', 'other', 'failed', null],
    ['active', 'other', 'pending', null],
    ['active', 'other', 'succeeded', { status: 'completed', transaction_id: 'other' }],
    ['expired', 'other', 'succeeded', { status: 'completed', transaction_id: 'other' }],
  ])('of a link that is %s: %s %s', (status, id, outcome, change) => {
    expect(afterPayment(link(status), { id, outcome, now: NOW })).toEqual(change)
  })

  test('that fails after the link’s time leaves it expired', () => {
    const payment = { id: 'own', outcome: 'failed', now: NOW } as const

    expect(afterPayment(link('processing', NOW), payment)).toEqual({
      status: 'expired',
      transaction_id: null,
    })
  })
})

test('a link that is paid or being paid cannot be expired', () => {
  expect(objectionToExpire(link('active'))).toBeUndefined()
  expect(objectionToExpire(link('expired'))).toBeUndefined()
  expect(objectionToExpire(link('processing'))).toContain('under way')
  expect(objectionToExpire(link('completed'))).toContain('paid')
})
