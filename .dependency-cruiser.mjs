const S = '^server/src'
/** Commands that only run in a sandbox, or beside one. Loaded when they are called. */
const SANDBOX_COMMANDS = `${S}/cli/(sandbox-[^/]+|stand-in|wallets-token)[.]ts$`

/** The engine, from the top floor down. Nothing imports from a floor above its own. */
const PAYMENTS_FLOORS = [
  ['acts'],
  ['pay[.]ts'],
  ['charge[.]ts', 'reported', 'recover'],
  ['attempts'],
  ['conclude'],
  ['begin[.]ts', 'retry[.]ts', 'gift-cards'],
  ['plan', 'tell[.]ts'],
  ['prepare', 'routing', 'approval[.]ts', 'find[.]ts', 'show[.]ts'],
  ['store'],
  ['state[.]ts', 'document[.]ts', 'kept-decision[.]ts'],
]

/** The import table of docs/architecture.md as rules. */
export default {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    ...downwards(PAYMENTS_FLOORS),
    rule(
      'web-takes-only-the-domain',
      { path: '^web/', pathNot: ['[.]test[.]ts$', '^web/testing/'] },
      {
        path: '^(server|connectors|sandbox|issuer|vault|bench|faults|lab|tools)/',
        pathNot: [`${S}/domain/`, `${S}/pages/manifest[.]ts$`, `${S}/words/en[.]ts$`],
      },
    ),
    rule(
      'web-apps-stand-apart',
      { path: '^web/([^/]+)/', pathNot: ['[.]test[.]ts$', '^web/testing/'] },
      { path: '^web/(?!$1/|api/|design/)[^/]+/' },
    ),
    rule(
      'server-knows-no-web',
      { path: '^(server|connectors|sandbox|issuer|vault)/', pathNot: '[.]test[.]ts$' },
      { path: '^web/' },
    ),
    rule(
      'examples-stand-alone',
      { path: '^examples/', pathNot: '[.]test[.]ts$' },
      { pathNot: '^examples/', dependencyTypesNot: ['core'] },
    ),
    rule(
      'the-client-stands-alone',
      { path: '^client/', pathNot: '[.]test[.]ts$' },
      { pathNot: ['^client/', '^node_modules/jose/'] },
    ),
    rule(
      'pages-know-no-resource',
      { path: `${S}/pages/`, pathNot: '[.]test[.]ts$' },
      { path: `${S}/(payments|resources|processing|cli)/` },
    ),
    rule(
      'domain-is-pure',
      { path: `${S}/domain/`, pathNot: '[.]test[.]ts$' },
      { pathNot: [`${S}/domain/`], dependencyTypesNot: ['core'] },
    ),
    rule(
      'platform-knows-no-payments',
      { path: `${S}/platform/`, pathNot: '[.]test[.]ts$' },
      { path: [`${S}/(payments|resources|processing|cli|testing)/`, `${S}/(app|main)[.]ts$`] },
    ),
    rule(
      'processing-knows-no-resource',
      { path: `${S}/processing/`, pathNot: '[.]test[.]ts$' },
      { path: `${S}/(payments|resources)/` },
    ),
    rule(
      'connectors-are-listed-in-one-file',
      {
        pathNot: [
          '^connectors/',
          '^sandbox/(connectors/|open[.]ts$)',
          '[.]test[.]ts$',
          '/testing/',
          '^(bench|faults|lab|tools)/',
          `${S}/processing/connectors[.]ts$`,
        ],
      },
      { path: ['^connectors/(?!contract/|simulators/)', '^sandbox/connectors/'] },
    ),
    rule(
      'slices-meet-at-stores-schemas-and-verbs',
      { path: `${S}/resources/([^/]+)/` },
      { path: `${S}/resources/(?!$1/).+/(routes|state|jobs|resource)[.]ts$` },
    ),
    rule(
      'slices-meet-at-stores-schemas-and-verbs',
      { path: '^sandbox/', pathNot: '[.]test[.]ts$' },
      { path: `${S}/resources/.+/(routes|state|jobs|resource)[.]ts$` },
    ),
    rule(
      'wire-shapes-know-no-behaviour',
      { path: `${S}/resources/transactions/wire/`, pathNot: '[.]test[.]ts$' },
      { path: `${S}/resources/transactions/(?!wire/)` },
    ),
    rule(
      'payments-know-no-http',
      { path: `${S}/payments/`, pathNot: '[.]test[.]ts$' },
      {
        path: [
          `${S}/resources/(transactions/(?!wire/)|approvals/|.+/(routes|state|jobs|resource)[.]ts$)`,
          `${S}/(words|pages|cli)/`,
          `${S}/(app|main)[.]ts$`,
        ],
      },
    ),
    rule(
      'words-stand-alone',
      { path: `${S}/words/`, pathNot: '[.]test[.]ts$' },
      { pathNot: `${S}/(words|domain)/` },
    ),
    rule(
      'resources-know-no-app',
      { path: `${S}/resources/`, pathNot: '[.]test[.]ts$' },
      { path: `${S}/(app[.]ts|main[.]ts|cli/)` },
    ),
    rule(
      'connectors-know-only-the-contract',
      { path: '^connectors/([^/]+)/', pathNot: ['[.]test[.]ts$', '/testing/'] },
      { path: ['^server/', '^vault/', '^sandbox/', '^issuer/', '^connectors/(?!contract/|$1/)'] },
    ),
    rule(
      'connectors-know-only-the-contract',
      { path: '^sandbox/connectors/([^/]+)/', pathNot: '[.]test[.]ts$' },
      {
        path: [
          '^server/',
          '^vault/',
          '^sandbox/(?!connectors/$1/)',
          '^issuer/',
          '^connectors/(?!contract/|simulators/)',
        ],
      },
    ),
    rule(
      'stand-ins-stand-alone',
      { path: '^sandbox/stand-ins/([^/]+)/', pathNot: '[.]test[.]ts$' },
      {
        pathNot: ['^sandbox/stand-ins/$1/', '^sandbox/stand-ins/(card-numbers|page|serve)[.]ts$'],
        dependencyTypesNot: ['core'],
      },
    ),
    rule(
      'stand-ins-stand-alone',
      { path: '^sandbox/stand-ins/(card-numbers|page|serve)[.]ts$' },
      { dependencyTypesNot: ['core'] },
    ),
    rule(
      'the-simulator-stands-alone',
      { path: '^sandbox/simulator/', pathNot: '[.]test[.]ts$' },
      { pathNot: ['^sandbox/simulator/', '/@types/pg/', '/pg/'], dependencyTypesNot: ['core'] },
    ),
    rule(
      'the-sandbox-has-one-door',
      {
        pathNot: [
          '^sandbox/',
          '[.]test[.]ts$',
          '/testing/',
          '^(bench|faults|lab|tools)/',
          `${S}/open-sandbox[.]ts$`,
          SANDBOX_COMMANDS,
          // Types alone.
          `${S}/cli/sandbox[.]ts$`,
        ],
      },
      { path: '^sandbox/' },
    ),
    rule(
      'the-sandbox-has-one-door',
      { path: `${S}/open-sandbox[.]ts$` },
      { path: '^sandbox/(?!open[.]ts$)' },
    ),
    rule(
      'production-loads-no-sandbox',
      { path: `${S}/open-sandbox[.]ts$` },
      { path: '^sandbox/', dynamic: false },
    ),
    rule(
      'production-loads-no-sandbox',
      { path: S, pathNot: ['[.]test[.]ts$', '/testing/', SANDBOX_COMMANDS] },
      { path: SANDBOX_COMMANDS, dynamic: false },
    ),
    rule(
      'the-issuer-stands-alone',
      { path: '^issuer/', pathNot: '[.]test[.]ts$' },
      { pathNot: ['^issuer/', '/@types/pg/', '/pg/'], dependencyTypesNot: ['core'] },
    ),
    rule(
      'the-issuer-is-reached-through-its-connector',
      {
        pathNot: [
          '^issuer/',
          '[.]test[.]ts$',
          '/testing/',
          '^(bench|faults|lab)/',
          `${S}/(app|start|reach-providers|cli/verify)[.]ts$`,
        ],
      },
      { path: '^issuer/' },
    ),
    rule('vault-has-one-door', { pathNot: '^vault/' }, { path: '^vault/(?!client[.]ts)' }),
    rule('bench-and-faults-meet-in-lab', { path: '^bench/' }, { path: '^faults/' }),
    rule('bench-and-faults-meet-in-lab', { path: '^faults/' }, { path: '^bench/' }),
    rule('lab-knows-no-program', { path: '^lab/' }, { path: '^(bench|faults)/' }),
    rule(
      'tests-stay-in-tests',
      { pathNot: ['[.]test[.]ts$', '/testing/', '^bench/', '^faults/', '^lab/', '^tools/'] },
      { path: ['[.]test[.]ts$', '/testing/', '^bench/', '^faults/', '^lab/', '^tools/'] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
    exclude: { path: '^(web|client)/dist/' },
  },
}

function downwards(floors) {
  const within = (floor) => `${S}/payments/(${floor.join('|')})(/|$)`
  return floors
    .slice(1)
    .map((floor, above) =>
      rule(
        'payments-run-downwards',
        { path: within(floor), pathNot: '[.]test[.]ts$' },
        { path: floors.slice(0, above + 1).map(within) },
      ),
    )
}

function rule(name, from, to) {
  return { name, severity: 'error', from, to }
}
