export const words = {
  signIn: {
    title: 'Sign in',
    passkey: 'Sign in with a passkey',
    or: 'or with a password',
    verb: 'Sign in',
    ended: 'Your session has ended. Sign in, and go on where you were.',
    notSetUp: 'There is no user yet',
    notSetUpText: 'Open the link that the service printed when it started. It makes the first user.',
  },
  setup: {
    title: 'Set up your dashboard',
    text: 'You are the first one here. You will be an administrator, and can invite the others.',
    next: 'Continue',
  },
  invitation: { title: 'You are invited', next: 'Continue' },
  badLink: {
    title: 'This link does not work',
    text: 'It may have been used, or be too old. Links work once, and for a limited time.',
    setup: 'Start the service again: while there is no user, it prints a new link.',
    invitation: 'Ask an administrator for a new one.',
  },
  prove: {
    title: 'How will you sign in?',
    passkeyTitle: 'A passkey',
    passkeyText:
      'Your fingerprint, your face or the PIN of this device. Nothing to remember, and no other site can ask for it.',
    passkeyVerb: 'Create a passkey',
    noPasskeys: 'Passkeys do not work at this address: they need a domain name.',
    passwordTitle: 'A password and an authenticator app',
    passwordText: 'For people who sign in on devices that are not theirs.',
    passwordVerb: 'Use a password',
    otherWay: 'Use a passkey instead',
  },
  password: {
    title: 'Password and authenticator app',
    scan: 'Scan this with your authenticator app',
    type: 'Or type this key into it',
    verb: 'Finish',
  },
  recovery: {
    title: 'Keep these codes',
    text: 'Each of them works once in place of a code of your app, for the day on which you lose your phone. They are shown only now.',
    verb: 'I have stored them',
  },
  stepUp: {
    title: 'Is it still you?',
    text: 'This needs a fresh proof. It counts for the next ten minutes.',
    passkey: 'Use your passkey',
    verb: 'Confirm',
  },
} as const
