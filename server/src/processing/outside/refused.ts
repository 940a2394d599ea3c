/** A package of connectors that the service does not load, and what to mend. */
export class PackageRefused extends Error {
  constructor(name: string, problem: string, options?: ErrorOptions) {
    super(`The package ${name} of CONNECTORS is refused: ${problem.replace(/[.]$/, '')}.`, options)
    this.name = 'PackageRefused'
  }
}
