export const words = {
  title: 'Sign in',
  text: 'You have no session here, or it has ended. Open the link that you were given, then come back to this page.',
  again: 'Look again',
} as const
