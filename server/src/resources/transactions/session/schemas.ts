export const INTEGRATION_CLIENTS = ['redirect', 'web', 'android', 'ios'] as const
