import { expect, test } from 'vitest'
import { EVENT_NAMES } from '#domain/event-names.ts'
import { eventComplaints } from './check-events.ts'

test('every event can be chosen, and every group of events', () => {
  const groups = EVENT_NAMES.map((name) => name.replace(/[.].*/, '.*'))

  expect(eventComplaints([...EVENT_NAMES, ...groups])).toEqual([])
})

test('an event is in the group of its first word alone', () => {
  expect(eventComplaints(['monitoring.*'])).toEqual([])
  expect(eventComplaints(['monitoring.incident.*'])).toHaveLength(1)
})
