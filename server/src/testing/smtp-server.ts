import { SMTPServer } from 'smtp-server'

export type Post = {
  readonly url: string
  /** What was delivered, as it came over the line. */
  readonly letters: { readonly to: string; readonly text: string }[]
  /** Answers the next recipient with this code. */
  readonly refuseNext: (code: number) => void
  readonly close: () => Promise<void>
}

/** An SMTP server on this machine, which wants a password. */
export async function openPostOffice(): Promise<Post> {
  const letters: Post['letters'] = []
  const refusals: number[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, answer) =>
      username === 'shop' && password === 'let-me-in'
        ? answer(null, { user: 'shop' })
        : answer(Object.assign(new Error('wrong password'), { responseCode: 535 })),
    onRcptTo: (_address, _session, answer) => {
      const code = refusals.shift()
      answer(code === undefined ? null : Object.assign(new Error('no'), { responseCode: code }))
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address).join()
        letters.push({ to, text: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
  })
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  return {
    url: `smtp://shop:let-me-in@127.0.0.1:${port}`,
    letters,
    refuseNext: (code) => void refusals.push(code),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
