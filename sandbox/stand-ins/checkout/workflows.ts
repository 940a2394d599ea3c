import { createHmac } from 'node:crypto'
import { type Books, type Event, type Json, newId, Refusal, type Reply } from './books.ts'
import { EVENTS, isObject } from './contract.ts'

type Workflow = {
  readonly id: string
  readonly name: string
  readonly events: Json
  readonly url: string
  readonly key: string
}
export type Message = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
type Send = (message: Message) => Promise<number>

/** Hexadecimal HMAC of the body, in `Cko-Signature`. https://www.checkout.com/docs/developer-resources/webhooks */
export function sign(body: string, key: string): string {
  return createHmac('sha256', key).update(body).digest('hex')
}

/** Workflows of the account, and the webhooks that they send. */
export class Workflows {
  readonly #workflows = new Map<string, Workflow>()
  readonly #books: Books
  readonly #send: Send
  /** Those that wait to be sent. */
  #waiting: Message[] = []
  #rounds: Promise<number> = Promise.resolve(0)
  readonly events: (Event & { readonly id: string; readonly timestamp: string })[] = []

  constructor(books: Books, send: Send) {
    this.#books = books
    this.#send = send
    books.onEvent = (event) => this.#note(event)
  }

  /** Null: no path of workflows. */
  serve(method: string, path: string, body: Json): Reply | null {
    const id = path.split('/')[2] ?? ''
    switch (`${method} ${id === '' || id === 'event-types' ? path : '/workflows/{id}'}`) {
      case 'GET /workflows':
        return { status: 200, body: { data: [...this.#workflows.values()].map((one) => this.#shown(one)) } }
      case 'GET /workflows/event-types':
        return {
          status: 200,
          body: Object.entries(EVENTS).map(([source, names]) => eventTypes(source, names)),
        }
      case 'POST /workflows':
        return { status: 201, body: this.#shown(this.add(body), ['id', '_links']) }
      case 'DELETE /workflows/{id}':
        if (!this.#workflows.delete(id)) throw new Refusal(404)
        return { status: 204, body: null }
      default:
        return null
    }
  }

  add({ name, conditions, actions }: Json): Workflow {
    const events = listOf(conditions).find(({ type }) => type === 'event')?.['events']
    const [action] = listOf(actions)
    const signature = isObject(action?.['signature']) ? action['signature'] : {}
    const wanted = isObject(events) ? Object.entries(events) : []
    const isKnown = wanted.every(
      ([source, names]) =>
        Array.isArray(names) && names.every((one) => EVENTS[source]?.includes(String(one))),
    )
    if (!isKnown || !URL.canParse(String(action?.['url']))) throw new Refusal(422, ['request_malformed'])
    const workflow = {
      id: newId('wf'),
      name: String(name),
      events: Object.fromEntries(wanted),
      url: String(action?.['url']),
      key: String(signature['key']),
    }
    this.#workflows.set(workflow.id, workflow)
    return workflow
  }

  #shown({ id, name }: Workflow, fields: readonly string[] = ['id', 'name', 'active', '_links']): Json {
    const href = `https://api.sandbox.checkout.com/workflows/${id}`
    const all = { id, name, active: true, _links: { self: { href } } }
    return Object.fromEntries(Object.entries(all).filter(([field]) => fields.includes(field)))
  }

  #note(event: Event): void {
    const noted = { ...event, id: newId('evt'), timestamp: this.#books.now().toISOString() }
    this.events.push(noted)
    for (const { events, url, key } of this.#workflows.values()) {
      const names = events[event.source]
      if (!Array.isArray(names) || !names.includes(event.type)) continue
      const body = JSON.stringify(bodyOf(noted))
      const headers = { 'content-type': 'application/json', 'cko-signature': sign(body, key) }
      this.#waiting.push({ url, headers, body })
    }
  }

  /** Sends what waits, one round after the other. What is not taken waits for the next time. */
  deliver(): Promise<number> {
    this.#rounds = this.#rounds.then(() => this.#deliverAll())
    return this.#rounds
  }

  async #deliverAll(): Promise<number> {
    const round = this.#waiting
    this.#waiting = []
    for (const message of round) {
      const status = await this.#send(message).catch(() => 0)
      if (status < 200 || status >= 300) this.#waiting.push(message)
    }
    return this.#waiting.length
  }
}

/** The body of a webhook. */
export function bodyOf({ id, type, timestamp, source, data }: Workflows['events'][number]): Json {
  return { id, source, type, timestamp, version: '1.0.29', data }
}

function eventTypes(id: string, names: readonly string[]): Json {
  return { id, display_name: id, events: names.map((name) => ({ id: name, display_name: name })) }
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
