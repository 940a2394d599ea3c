/** A step of a stage, such as `RUN` and its command. */
export type Step = { readonly instruction: string; readonly value: string }

export type Stage = { readonly base: string; readonly name: string | null; readonly steps: readonly Step[] }

/** The stages of a Dockerfile, with variables of `ARG` before the first stage filled in. */
export function readDockerfile(text: string): Stage[] {
  const stages: { base: string; name: string | null; steps: Step[] }[] = []
  const variables = new Map<string, string>()
  for (const { instruction, value } of stepsOf(text)) {
    if (instruction === 'FROM') {
      const [base = '', , name = null] = value.split(/\s+/)
      stages.push({
        base: base.replaceAll(/[$][{](\w+)[}]/g, (_, key) => variables.get(key) ?? ''),
        name,
        steps: [],
      })
    } else if (stages.length === 0) {
      const [key = '', preset = ''] = value.split(/=(.*)/s)
      variables.set(key, preset)
    } else {
      stages.at(-1)?.steps.push({ instruction, value })
    }
  }
  return stages
}

/** One step for each instruction. A backslash at the end of a line continues it. */
function stepsOf(text: string): Step[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line))
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [instruction = '', value = ''] = line.split(/\s+(.*)/s)
      return { instruction, value }
    })
}

/** The pairs of an `ENV` step. */
export function pairsOf(value: string): [string, string][] {
  return [...value.matchAll(/(\w+)=("[^"]*"|\S+)/g)].map(([, name = '', text = '']) => [
    name,
    text.replaceAll('"', ''),
  ])
}
