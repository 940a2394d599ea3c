import { EVENT_NAMES } from '#domain/event-names.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { nearestNames, suggestion } from '#platform/http/nearest-name.ts'

/** Every event, and every group of events with the same beginning: `transaction.*`. */
const GROUPS = [...new Set(EVENT_NAMES.map((name) => `${name.slice(0, name.indexOf('.'))}.*`))]
const CHOICES: readonly string[] = [...EVENT_NAMES, ...GROUPS]

/** In the spelling that similar names are searched with. */
const BY_WORDS = new Map(CHOICES.map((name) => [name.replace('.*', '').replaceAll(/[.-]/g, '_'), name]))

/** Names that no event has, each with the most similar one that there is. */
export function eventComplaints(events: readonly (string | undefined)[]): ErrorDetail[] {
  return events.flatMap((name, index) => {
    if (name === undefined || CHOICES.includes(name)) return []
    const near = nearestNames(name, [...BY_WORDS.keys()]).flatMap((words) => BY_WORDS.get(words) ?? [])
    const message = `use the name of an event, or a group such as transaction.*${suggestion(near)}`
    return [inBody(`/events/${index}`, 'type_error.enum', message)]
  })
}
