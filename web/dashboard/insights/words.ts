/** What the menu of saved charts says. */
export const SAVED = {
  title: 'Saved charts',
  none: 'No saved charts yet. Save this one to find it again and share it.',
  save: 'Save this chart',
  saveSays:
    'Everyone with access to this merchant account finds it under Saved charts, with its period and filters.',
  moves: 'The period moves with the date.',
  stays: 'The dates stay fixed.',
  name: 'Chart name',
  isSaved: (name: string) => `${name} is saved`,
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}`,
  removeSays: 'The chart is removed for everyone with access to this merchant account.',
  isRemoved: (name: string) => `${name} was deleted`,
} as const
