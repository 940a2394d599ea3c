import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONTRACT_VERSION } from '#connectors/contract/version.ts'

/** A connector in a package as JavaScript. Its provider approves everything without being asked. */
export function connectorSource(id = 'acme-card', rest = ''): string {
  return `{
    manifest: {
      id: ${JSON.stringify(id)},
      displayName: 'Acme',
      method: 'card',
      mode: 'card',
      instruments: ['card'],
      fields: [{ key: 'api_key', displayName: 'Key', isRequired: true, format: 'text', isSecret: true, isVerifiable: false }],
      reportingFields: [],
      currencies: ['EUR'],
      countries: 'all',
      capabilities: {
        directCapture: true,
        multipleCaptures: false,
        overCapture: false,
        remainderVoids: false,
        partialRefunds: false,
        partialAuthorization: false,
        zeroAuthorization: false,
        threeDSecurePassThrough: false,
        threeDSecureByProvider: false,
      },
      recovery: { by: 'notification' },
      isSimulator: false,
    },
    authorize: async ({ attemptId }, { options }) => ({
      outcome: 'approved',
      reference: attemptId,
      facts: { rawCode: options.shelf ?? null },
    }),
    ${rest}
  }`
}

type Written = {
  readonly code?: string
  readonly manifest?: object | string
  /** Its place below the folder. Default: where npm would install it. */
  readonly place?: string
}

/** Writes a package into a folder, as npm would install it. */
export function writePackage(
  folder: string,
  name: string,
  { code, manifest, place = `node_modules/${name}` }: Written,
): void {
  const described = manifest ?? {
    name,
    version: '1.2.3',
    type: 'module',
    switchyard: { contract: CONTRACT_VERSION, main: './index.js' },
  }
  const text = typeof described === 'string' ? described : JSON.stringify(described)
  const files = {
    'package.json': text,
    'index.js': code ?? `export const connectors = [${connectorSource()}]\n`,
  }
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, place, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}
