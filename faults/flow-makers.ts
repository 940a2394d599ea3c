// biome-ignore lint/suspicious/noExplicitAny: what answers look like is what is being tested
type Ask = (route: string, body?: object) => Promise<any>

const DECLINING = { conditions: [], outcome: { type: 'boolean', result: true } }

export async function makeRule(ask: Ask): Promise<string> {
  return (await ask('POST /flows/card-transaction/actions/decline-early/rules', DECLINING)).id
}

/** Rules of an account, what was tried with them, and their versions. */
export function flowMakers(ask: Ask) {
  return {
    flow: async () => 'card-transaction',
    action: async () => 'decline-early',
    rule_id: () => makeRule(ask),
    flow_version_id: async () => {
      await makeRule(ask)
      return (await ask('GET /flows/versions')).items[0].id
    },
    flow_back_test_id: async () => {
      // Three can be under way at a time, and no worker finishes them.
      const [known] = (await ask('GET /flows/back-tests')).items
      if (known) return known.id
      const body = { created_at_gte: new Date().toISOString(), rules: [] }
      return (await ask('POST /flows/back-tests', body)).id
    },
  }
}
