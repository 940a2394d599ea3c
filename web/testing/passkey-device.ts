import type { Page } from 'playwright-core'

type Credential = {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly privateKey: string
  readonly rpId?: string
  readonly userHandle?: string
  readonly signCount: number
}

type Plugged = {
  /** Call it before the page closes: what the page has made goes with it. */
  readonly keepPasskeys: () => Promise<void>
  readonly unplug: () => Promise<void>
}

const KIND = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** More than one page uses a passkey: servers refuse one whose count goes back. */
const USES_OF_A_PAGE = 100

/** A device with passkeys, whose owner always agrees. Chromium plays it, for one page at a time. */
export class BrowserDevice {
  #credentials: Credential[] = []

  /** The page has the passkeys of this device from now on. */
  async plugInto(page: Page): Promise<Plugged> {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options: KIND })
    this.#credentials = this.#credentials.map((one) => ({
      ...one,
      signCount: one.signCount + USES_OF_A_PAGE,
    }))
    for (const credential of this.#credentials)
      await session.send('WebAuthn.addCredential', { authenticatorId, credential })
    return {
      keepPasskeys: async () => {
        const found = await session.send('WebAuthn.getCredentials', { authenticatorId })
        this.#credentials = found.credentials
      },
      unplug: async () => {
        await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      },
    }
  }
}
