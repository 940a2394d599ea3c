/**
 * The version of this contract. A package of connectors names the one that it was written for. The second number grows
 * when connectors can do more, the first when they have to be changed. The kit for authors has the same version.
 */
export const CONTRACT_VERSION = '1.0'

/** Why a service with our contract cannot run a package that was written for another. Null if it can. */
export function obstacleOf(wanted: string, ours: string = CONTRACT_VERSION): string | null {
  const [major, minor] = numbersIn(ours)
  const [theirMajor, theirMinor] = numbersIn(wanted)
  if (theirMajor === undefined || theirMinor === undefined || major === undefined || minor === undefined)
    return `"switchyard.contract" in its package.json must be a version such as "${ours}"`
  if (theirMajor === major && theirMinor <= minor) return null
  const remedy =
    theirMajor < major
      ? `Install a version of the package for contract ${major}`
      : 'Upgrade the service, or install an older version of the package'
  return `it was written for contract ${wanted}, and this service has ${ours}. ${remedy}`
}

function numbersIn(version: string): number[] {
  const [, major, minor] = /^(\d{1,4})[.](\d{1,4})$/.exec(version) ?? []
  return [major, minor].filter((part) => part !== undefined).map(Number)
}
