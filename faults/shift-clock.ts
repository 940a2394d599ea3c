/*
 * Loaded before the program: its `Date` is ahead of the machine's clock by `CLOCK_SHIFT_MS`, or behind if that is
 * negative. A message changes the shift while the program runs, as an operator who sets the clock does. Timers and
 * `performance.now()` are not changed, as by setting a real clock.
 */
const Machine = Date

let shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0)

process.on('message', (message) => {
  shiftMs = (message as { readonly shiftMs: number }).shiftMs
  process.send?.('shifted')
})
// The listener for messages must not keep the process from ending.
process.channel?.unref()

globalThis.Date = class ShiftedDate extends Machine {
  constructor(...given: readonly [] | ConstructorParameters<DateConstructor>) {
    if (given.length === 0) super(ShiftedDate.now())
    else super(...given)
  }

  static override now(): number {
    return Machine.now() + shiftMs
  }
} as DateConstructor
