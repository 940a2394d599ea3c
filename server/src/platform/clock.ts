/** The time is passed in, so that a test can move it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
