import { execFileSync, spawnSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { Ajv } from 'ajv'
import { validate } from 'dockerfile-utils'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig, SECRET_SETTINGS } from '../server/src/config.ts'
import { pairsOf, readDockerfile } from './dockerfile.ts'

// biome-ignore lint/suspicious/noExplicitAny: manifests of others, read field by field
type Json = any

const read = (file: string) => readFileSync(file, 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'switchyard-deploy-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Every setting that the service reads. */
const settings = globSync('server/src/config*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => [...read(file).matchAll(/\bread\.\w+\(\s*'([A-Z0-9_]+)'/g)])
  .map(([, name = '']) => name)
const secretSettings: readonly string[] = SECRET_SETTINGS
/** What may stand in an environment: settings that are no secrets, and names of files with secrets. */
const mayBeSet = new Set([
  ...settings.filter((name) => !secretSettings.includes(name)),
  ...secretSettings.map((name) => `${name}_FILE`),
])
const sorted = (names: Iterable<string>) => [...names].sort((a, b) => (a < b ? -1 : 1))
/** What a value of Compose is where nothing is set: `${NAME:-default}`, which may stand in another one. */
const defaultOf = (value: string): string => {
  const inner = value.replaceAll(/[$][{]\w+:-([^${}]*)[}]/g, '$1')
  return inner === value ? value : defaultOf(inner)
}
const hasProgram = (name: string, ...args: string[]) => spawnSync(name, args).status === 0

test('settings that may lie in files exist', () => {
  expect(settings.length).toBeGreaterThan(40)
  expect(secretSettings.filter((name) => !settings.includes(name))).toEqual([])
})

describe('the Dockerfile', () => {
  const text = read('deploy/Dockerfile')
  const stages = readDockerfile(text)
  const last = stages.at(-1)
  const steps = (instruction: string) =>
    last?.steps.filter((step) => step.instruction === instruction).map(({ value }) => value) ?? []

  test('has no fault that a linter knows', () => {
    expect(validate(text)).toEqual([])
  })

  test('is built on bases that the registry names by digest, or not at all', () => {
    // In place of Docker: it knows one digest, and prints how it is called.
    const programs = mkdtempSync(join(folder, 'programs-'))
    const digest = `sha256:${'5'.repeat(64)}`
    const lines = [`[ "$1" = buildx ] && { echo "$DIGEST"; exit; }`, `printf '%s\\n' "$@"`]
    writeFileSync(join(programs, 'docker'), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 })
    const build = (answer: string) =>
      spawnSync('sh', ['deploy/build-image.sh', 'switchyard:1', '--no-cache'], {
        encoding: 'utf8',
        env: { PATH: `${programs}:/usr/bin:/bin`, DIGEST: answer },
      })

    const built = build(digest)
    const refused = build('')

    expect(built.stdout).toContain(
      `build\n--build-arg\nDEBIAN=debian:bookworm-slim@${digest}\n--build-arg\nNODE=node:24-bookworm-slim@${digest}\n`,
    )
    expect(built.stdout).toContain('-t\nswitchyard:1\n--no-cache\n')
    expect([refused.status, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toBe('the registry names no digest of debian:bookworm-slim\n')
  })

  test('brings no PostgreSQL, no tools and no checkout into the image', () => {
    const built = stages.find(({ name }) => name === 'archive')

    expect(stages.map(({ base }) => base)).toEqual([
      'node:24-bookworm-slim',
      'debian:bookworm-slim',
      'debian:bookworm-slim',
    ])
    expect(built?.steps.at(-1)?.value).toContain('--runtime no-database')
    expect(steps('COPY')).toEqual(['--from=unpacked /opt/switchyard /opt/switchyard'])
    expect(steps('RUN').join()).not.toMatch(/apt|npm|curl/)
  })

  test('runs as a user of its own, gets signals itself, and says how it is', () => {
    const [check = ''] = steps('HEALTHCHECK')

    expect(steps('USER')).toEqual(['10001:10001'])
    expect(JSON.parse(steps('ENTRYPOINT')[0] ?? '')).toEqual(['switchyard'])
    expect(JSON.parse(steps('CMD')[0] ?? '')).toEqual(['serve'])
    expect(JSON.parse(check.slice(check.indexOf('['))).join(' ')).toContain('/health/ready')
    expect(steps('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(read('bin/switchyard').trimEnd().split('\n').at(-1)).toMatch(/^exec /)
  })

  test('sets settings that exist, and no secret', () => {
    const names = steps('ENV').flatMap((value) => pairsOf(value).map(([name]) => name))

    expect(names).toContain('HOST')
    expect(names.filter((name) => name !== 'PATH' && !mayBeSet.has(name))).toEqual([])
  })

  test('gets every file of the commit, of which it packs the archive, and no secret', () => {
    const rules = read('deploy/Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    // The last rule that fits decides, as in Docker. A rule for a folder is one for all that is in it.
    const isLeftOut = (file: string) => {
      const rule = rules.findLast((line) =>
        ['', '/**'].some((inside) => matchesGlob(file, line.replace('!', '') + inside)),
      )
      return rule !== undefined && !rule.startsWith('!')
    }
    const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')

    expect(tracked.length).toBeGreaterThan(1000)
    expect(tracked.filter(isLeftOut)).toEqual([])
    expect(
      ['deploy/secrets/secret-key', 'deploy/.env', 'shop.env', '.data/a', 'a/key.pem'].filter(
        (file) => !isLeftOut(file),
      ),
    ).toEqual([])
  })
})

describe('compose.yaml', () => {
  const compose: Json = parse(read('deploy/compose.yaml'), { merge: true })
  const services = Object.entries<Json>(compose.services)
  const own = services.filter(([name]) => name !== 'database')

  test('shuts every container off from what it does not need', () => {
    for (const [name, service] of services) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      expect(service.stop_grace_period, name).toBe('60s')
      expect(service.privileged, name).toBeUndefined()
    }
    for (const [name, service] of own) expect(service, name).toMatchObject({ user: '10001:10001' })
    expect(own.filter(([, { cap_add }]) => cap_add !== undefined)).toEqual([])
    expect(compose.networks.inside.internal).toBe(true)
    expect(compose.services.database.networks).toEqual(['inside'])
    expect(
      services.flatMap(([, { ports = [] }]) => ports).every((port: string) => port.startsWith('127.0.0.1:')),
    ).toBe(true)
  })

  test('runs one process for each role, after the migrations', () => {
    expect(own.map(([name, { environment, command }]) => [name, environment.ROLE ?? command[0]])).toEqual([
      ['migrate', 'migrate'],
      ['api', 'api'],
      ['worker', 'worker'],
    ])
    for (const name of ['api', 'worker'])
      expect(compose.services[name].depends_on.migrate.condition).toBe('service_completed_successfully')
  })

  test('sets settings that exist, and no secret', () => {
    for (const [name, { environment }] of own)
      expect(
        Object.keys(environment).filter((setting) => !mayBeSet.has(setting)),
        name,
      ).toEqual([])
    expect(
      Object.keys(compose.services.database.environment).filter((name) => /PASSWORD$/.test(name)),
    ).toEqual([])
  })

  test('mounts the secrets that make-secrets.sh makes, and the service takes them', () => {
    const made = join(folder, 'secrets')
    execFileSync('sh', ['deploy/make-secrets.sh', made])
    const first = readdirSync(made).map((name) => read(join(made, name)))
    execFileSync('sh', ['deploy/make-secrets.sh', made])
    const { environment } = compose.services.api
    const given = Object.entries<string>(environment).map(([name, value]) => [
      name,
      defaultOf(value.replace('/run/secrets', made)),
    ])

    const configs = ['sandbox', 'production'].map((ENVIRONMENT) =>
      readConfig({ ...Object.fromEntries(given), ENVIRONMENT }),
    )

    expect(sorted(readdirSync(made))).toEqual(sorted(Object.keys(compose.secrets)))
    expect(readdirSync(made).map((name) => read(join(made, name)))).toEqual(first)
    expect(statSync(made).mode & 0o777).toBe(0o700)
    for (const config of configs) {
      expect(config.databaseUrl).toBe(
        `postgresql://switchyard:${read(join(made, 'database-password'))}@database/switchyard`,
      )
      expect(config.secretKey?.length).toBe(32)
      expect(config.vaultKeys).toHaveLength(1)
    }
    for (const [name, service] of services)
      expect(
        service.secrets.filter((secret: string) => !compose.secrets[secret]),
        name,
      ).toEqual([])
  })

  test('one file has the settings of Compose and those of the service', () => {
    for (const [name, { env_file, environment }] of own) {
      expect(env_file, name).toEqual([{ path: '.env', required: false }])
      // Compose prefers these to the file, so they take the values of the file.
      for (const [setting, value] of Object.entries<string>(environment))
        if (!/^ROLE$|_FILE$|^PORT$/.test(setting)) expect(value, setting).toContain(`\${${setting}:-`)
      // The ports below are those of the container.
      expect(environment.PORT, name).toBe('3000')
    }
  })

  test('git leaves the secrets out', () => {
    expect(
      execFileSync('git', ['check-ignore', 'deploy/secrets/secret-key', 'deploy/.env'], {
        encoding: 'utf8',
      }),
    ).toBe('deploy/secrets/secret-key\ndeploy/.env\n')
  })
})

describe('the systemd unit', () => {
  const file = 'deploy/systemd/switchyard.service'
  const unit = read(file)
  const values = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  test('sets settings that exist, gives secrets as credentials, and the service takes them', () => {
    const credentials = values('LoadCredential').map((value) => value.split(':')[0] ?? '')
    const set = new Map(values('Environment').map((value) => value.split('=') as [string, string]))
    const given = read('deploy/systemd/switchyard.env').matchAll(/^(\w+)=(.*)$/gm)
    const made = join(folder, 'credentials')
    mkdirSync(made)
    execFileSync('sh', ['deploy/make-secrets.sh', made])

    const env = {
      ...Object.fromEntries([...given].map(([, name, value]) => [name, value])),
      ...Object.fromEntries([...set].map(([name, value]) => [name, value.replace('%d', made)])),
    }

    expect(Object.keys(env).filter((name) => !mayBeSet.has(name))).toEqual([])
    expect(
      [...set.values()].filter((value) => value.startsWith('%d/')).map((value) => value.slice(3)),
    ).toEqual(credentials)
    expect(readConfig(env)).toMatchObject({
      environment: 'production',
      role: 'all',
      dataDir: '/var/lib/switchyard',
    })
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(60)
  })

  test.skipIf(!hasProgram('systemd-analyze', '--version'))('is well-formed, and leaves little open', () => {
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' }).stderr
    const complaints = verified
      .split('\n')
      .filter((line) => line.includes('switchyard') && !line.includes('is not executable'))
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file], {
      encoding: 'utf8',
    })

    expect(complaints).toEqual([])
    expect(rated.status, rated.stdout.slice(-200)).toBe(0)
  })
})

describe('the chart', () => {
  const chart = 'deploy/helm/switchyard'
  const values: Json = parse(read(`${chart}/values.yaml`))
  const schema: Json = JSON.parse(read(`${chart}/values.schema.json`))
  const templates = globSync(`${chart}/templates/*`).map(read).join('\n')
  const isValid = new Ajv({ strict: false }).compile(schema)
  /** Values whose fields are the operator's own. */
  const isOpen = (path: string) =>
    /(^|[.])(settings|resources|annotations|podAnnotations|nodeSelector|affinity)$/.test(path)

  function leavesOf(value: Json, path = ''): string[] {
    if (typeof value !== 'object' || Array.isArray(value) || isOpen(path)) return [path]
    return Object.entries(value).flatMap(([key, inner]) =>
      leavesOf(inner, path === '' ? key : `${path}.${key}`),
    )
  }

  function declaredIn({ properties }: Json, path = ''): string[] {
    return Object.entries<Json>(properties).flatMap(([key, inner]) => {
      const name = path === '' ? key : `${path}.${key}`
      return inner.properties ? declaredIn(inner, name) : [name]
    })
  }

  test('declares, documents and uses the same values', () => {
    const leaves = sorted(leavesOf(values))
    const table = read(`${chart}/README.md`).split('## Values')[1] ?? ''
    const documented = table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) =>
        [...(line.split(' | ')[0] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name),
      )
    const used = new Set([...templates.matchAll(/[.]Values[.]([\w.]+)/g)].map(([, path = '']) => path))
    // Both roles are rendered by one loop.
    for (const [, field] of templates.matchAll(/[$]of[.](\w+)/g))
      for (const role of ['api', 'worker']) used.add(`${role}.${field}`)

    expect(sorted(declaredIn(schema))).toEqual(sorted([...leaves, 'global']))
    expect(sorted(documented)).toEqual(leaves)
    expect(sorted(used)).toEqual(leaves)
    expect(isValid(values), JSON.stringify(isValid.errors)).toBe(true)
  })

  test('takes every setting of the service once: as a value, in settings, or as a secret', () => {
    const set = [...templates.matchAll(/- name: ([A-Z_]+)\n/g)].map(([, name = '']) => name)
    const free: string[] = schema.properties.settings.propertyNames.enum
    // The image sets these, and the chart mounts what they name.
    const ofImage = ['HOST', 'PORT', 'DATA_DIR', 'REPORTS_DIR']

    expect(schema.properties.secret.properties.keys.items.enum).toEqual(secretSettings)
    expect(sorted([...free, ...set, ...ofImage, ...secretSettings, 'ALLOW_EMBEDDED_IN_PRODUCTION'])).toEqual(
      sorted(settings),
    )
  })

  test.each<[string, (values: Json) => void]>([
    [
      'an unknown value',
      (all) => {
        all.replicas = 3
      },
    ],
    [
      'an unknown setting',
      (all) => {
        all.settings.LOGLEVEL = 'warn'
      },
    ],
    [
      'a secret among the settings',
      (all) => {
        all.settings.SECRET_KEY = 'x'
      },
    ],
    [
      'a number that Helm would write as 5e+06',
      (all) => {
        all.settings.REFUND_STEP_UP_AMOUNT = 5_000_000
      },
    ],
    [
      'an environment that does not exist',
      (all) => {
        all.environment = 'staging'
      },
    ],
    [
      'an address with a password',
      (all) => {
        all.publicUrl = 'https://me:word@pay.example.com'
      },
    ],
    [
      'no pod',
      (all) => {
        all.worker.replicas = 0
      },
    ],
    [
      'a digest that is none',
      (all) => {
        all.image.digest = 'latest'
      },
    ],
  ])('refuses %s', (_name, change) => {
    const changed = structuredClone(values)
    change(changed)

    expect(isValid(changed)).toBe(false)
  })

  test('shows metrics to collectors, also those of workers, and not through the ingress', () => {
    const [, everyPod = ''] = read(`${chart}/templates/service.yaml`).split('---\n')
    const ingress = read(`${chart}/templates/ingress.yaml`)
    const guide = read('docs/guide/deploy.md')

    expect(everyPod).toContain('name: {{ include "switchyard.name" . }}-metrics')
    expect(everyPod.split('selector:')[1]).not.toContain('component')
    expect(ingress).toMatch(/path: [/]metrics\n +pathType: Exact\n.*\n.*\n +name: .*-closed\n/)
    expect(ingress.split('---')[1]).not.toContain('selector:')
    // The keys of the secret are those that the values name.
    const made = [...guide.matchAll(/--from-literal=([A-Z0-9_]+)=/g)].map(([, name]) => name)
    expect(made).toContain('METRICS_TOKEN')
    expect(guide).toContain(`keys: [${made.join(', ')}]`)
  })

  test('has the version of the service', () => {
    const { version, appVersion } = parse(read(`${chart}/Chart.yaml`))

    expect([version, appVersion]).toEqual([JSON.parse(read('package.json')).version, version])
  })

  describe.skipIf(!hasProgram('helm', 'version'))('rendered by helm', () => {
    const required = ['publicUrl=https://pay.example.com', 'secret.name=keys']
    const bucket = [...required, 'settings.REPORTS_S3_URL=https://s3.example.com/b']
    const set = (pairs: readonly string[]) => pairs.flatMap((pair) => ['--set', pair])
    const run = (pairs: readonly string[]) =>
      spawnSync('helm', ['template', 'shop', chart, ...set(pairs)], { encoding: 'utf8' })
    const render = (pairs: readonly string[]): Json[] => {
      const { stdout, stderr } = run(pairs)
      expect(stderr).toBe('')
      return parseAllDocuments(stdout)
        .map((document) => {
          expect(document.errors).toEqual([])
          return document.toJS()
        })
        .filter((object) => object !== null)
    }
    const kinds = (objects: readonly Json[]) =>
      sorted(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`))

    test('makes both deployments, their budgets, the hook and the policies', () => {
      expect(kinds(render(bucket))).toEqual([
        'Deployment shop-api',
        'Deployment shop-worker',
        'Job shop-migrate',
        'NetworkPolicy shop-api',
        'NetworkPolicy shop-others',
        'NetworkPolicy shop-out',
        'PodDisruptionBudget shop-api',
        'PodDisruptionBudget shop-worker',
        'Service shop',
        'Service shop-metrics',
      ])
    })

    test.each([
      ['a bucket', bucket],
      ['a sandbox with a claim', [...required, 'environment=sandbox', 'data.existingClaim=claim']],
      [
        'an ingress and everything else',
        [
          ...bucket,
          'ingress.enabled=true',
          'ingress.host=pay.example.com',
          'ingress.tlsSecretName=tls',
          'ingress.className=nginx',
          'nodeSelector.pool=payments',
          'podAnnotations.a=b',
          'service.annotations.a=b',
          'imagePullSecrets[0].name=pull',
          'serviceAccountName=pay',
          'tolerations[0].operator=Exists',
          'networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.name=watch',
          'networkPolicy.databaseTo[0].ipBlock.cidr=10.0.0.5/32',
          'networkPolicy.extraEgress[0].ports[0].port=4318',
          'networkPolicy.apiFrom[0].podSelector.matchLabels.app=nginx',
          'secret.keys[3]=METRICS_TOKEN',
        ],
      ],
    ])('keeps every pod closed, with %s', (_name, pairs) => {
      const pods = render(pairs).filter(({ kind }) => kind === 'Deployment' || kind === 'Job')

      expect(pods).toHaveLength(3)
      for (const {
        spec: {
          template: { spec },
        },
      } of pods) {
        const [container] = spec.containers
        expect(spec).toMatchObject({
          automountServiceAccountToken: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 10_001,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          terminationGracePeriodSeconds: 60,
        })
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(
          container.env.map(({ name }: Json) => name).filter((name: string) => !mayBeSet.has(name)),
        ).toEqual([])
        expect(sorted(container.volumeMounts.map(({ name }: Json) => name))).toEqual(
          sorted(spec.volumes.map(({ name }: Json) => name)),
        )
        expect(container.image).toBe(`switchyard:${JSON.parse(read('package.json')).version}`)
      }
    })

    test.each([
      ['no address', ['secret.name=keys'], /Set publicUrl/],
      ['no secret', ['publicUrl=https://pay.example.com'], /Set secret[.]name/],
      ['no place for reports', required, /Set data[.]existingClaim/],
      [
        'an ingress without TLS',
        [...bucket, 'ingress.enabled=true', 'ingress.host=x'],
        /Set ingress[.]tlsSecretName/,
      ],
    ])('refuses %s', (_name, pairs, message) => {
      const { status, stderr } = run(pairs)

      expect(status).not.toBe(0)
      expect(stderr).toMatch(message)
    })
  })
})
