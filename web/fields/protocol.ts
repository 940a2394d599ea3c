import type { CardScheme } from '../../server/src/domain/card-scheme.ts'
import type { FieldType } from './kinds.ts'

/**
 * What the frames of a card form say to the page of the shop, and to each other. The frames have one origin, so the
 * controller reads the fields directly: what a buyer types is in no message.
 */
const CHANNEL = 'secure-fields'

export type FieldState = { readonly valid: boolean; readonly empty: boolean; readonly autofilled: boolean }

/** A field, for the other frames of its form. */
export type Field = {
  readonly type: FieldType
  readonly form: string
  readonly read: () => string
  readonly state: () => FieldState
  /** The scheme that the buyer chose, of a card with several. */
  readonly chosenScheme: () => CardScheme | undefined
  readonly fill: (text: string) => void
  readonly followScheme: (scheme: string) => void
}

type Controller = { readonly form: string; readonly noteChange: () => void }

declare global {
  interface Window {
    switchyardField?: Field
    switchyardController?: Controller
  }
}

const parameters = new URLSearchParams(location.search)

export function parameter(name: string): string {
  return parameters.get(name) ?? ''
}

/** Tells forms of one page apart. The public client has one form at a time, and gives it no name. */
export const form = parameter('form')

/** The server lets only this origin put us into a frame, so a message to it reaches no other page. */
const parentOrigin = parameter('parentOrigin')

export type Message = { readonly type: string; readonly data?: Readonly<Record<string, unknown>> }

export function tell(message: Message | Readonly<Record<string, unknown>>): void {
  parent.postMessage({ ...message, channel: CHANNEL }, parentOrigin)
}

/** Hears the page that holds us, and no other window. */
export function hear(handle: (message: Message) => void): void {
  addEventListener('message', ({ origin, source, data }: MessageEvent) => {
    if (origin === parentOrigin && source === parent && data?.channel === CHANNEL) handle(data)
  })
}

/** The fields of our form. */
export function fields(): Field[] {
  return siblings().flatMap(({ switchyardField }) =>
    switchyardField?.form === form ? [switchyardField] : [],
  )
}

export function noteChange(): void {
  for (const { switchyardController } of siblings()) {
    if (switchyardController?.form === form) switchyardController.noteChange()
  }
}

/** A page also has frames of others. Those throw when looked at. */
function siblings(): Window[] {
  return Array.from({ length: parent.length }, (_, index) => parent[index] as Window).filter((frame) => {
    try {
      return frame.location.origin === location.origin
    } catch {
      return false
    }
  })
}
