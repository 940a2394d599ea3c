// Made by tools/client.ts. Do not edit.

export * as clock from './sandbox/clock.ts'
export * as fill from './sandbox/fill.ts'
export * as paymentServices from './sandbox/payment-services.ts'
