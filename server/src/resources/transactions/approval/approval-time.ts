/** How long a buyer may take to approve, and how long the card's code is kept for it. */
export const APPROVAL_MS = 10 * 60_000
