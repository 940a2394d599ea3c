const SHORT = 8

/**
 * The secrets that a text shows. The digits of a short one also occur in longer numbers and in ids, which are made at
 * random: it counts where it stands alone.
 */
export function findLeaks(text: string, secrets: readonly string[]): string[] {
  const words = new Set(text.split(/[^\w-]+/))
  return secrets.filter((secret) => (secret.length < SHORT ? words.has(secret) : text.includes(secret)))
}
