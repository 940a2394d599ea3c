export type MailSettings = {
  /** `smtps://user:password@host:465`, or `smtp://` for a connection that is encrypted once it is open. */
  readonly url: string
  /** Whom the mails are from: `payments@example.com`, or `Shop <payments@example.com>`. */
  readonly from: string
}

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export type Mailer = {
  /** Hands a mail over to the server. The same id makes the same message, also if it is sent again. */
  readonly send: (id: string, mail: Mail) => Promise<void>
}

const CONNECT_MS = 10_000
const ANSWER_MS = 30_000

/** Sends e-mails by the SMTP server of the operator. Only a server on this machine may be spoken to without encryption. */
export function openMailer({ url, from }: MailSettings): Mailer {
  const { hostname } = new URL(url)
  const isHere = isOnThisMachine(hostname)
  const connect = async () =>
    (await import('nodemailer')).createTransport({
      url,
      requireTLS: !isHere,
      ignoreTLS: isHere && url.startsWith('smtp:'),
      tls: { minVersion: 'TLSv1.2' },
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  const [, host = hostname] = /@([^@>\s]+)>?$/.exec(from) ?? []
  return {
    send: async (id, mail) => {
      const transport = await connect()
      const message = { ...mail, from, messageId: `<${id}@${host}>` }
      // Out-of-office notes would go to the sender.
      await transport.sendMail({ ...message, headers: { 'auto-submitted': 'auto-generated' } })
    },
  }
}

export function isOnThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Whether the server has refused a mail for good, such as for a recipient that does not exist. */
export function isRefusedForGood(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  // 530 to 538 are about our own sign-in, which an operator can mend.
  return code >= 500 && !(code >= 530 && code < 540)
}

/** A text within HTML. */
export function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (sign) => names[sign] ?? sign)
}
