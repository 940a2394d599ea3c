/** What the menu of saved charts says. */
export const SAVED = {
  title: 'Saved charts',
  none: 'No chart is saved yet. Save this one to find it again, and to share it.',
  save: 'Save this chart',
  saveSays:
    'Everyone who uses this merchant account finds it under Saved charts, with its period and its filters.',
  moves: 'The period moves on with the days.',
  stays: 'Its dates stay as they are now.',
  name: 'Name of the chart',
  isSaved: (name: string) => `${name} is saved`,
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}`,
  removeSays: 'The chart is removed for everyone who uses this merchant account. No payment changes.',
  isRemoved: (name: string) => `${name} was deleted`,
} as const
