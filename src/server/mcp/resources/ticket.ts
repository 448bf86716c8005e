import type { Resource } from './define.ts';

export const ticket: Resource = {
  name: 'ticket',
  title: 'Ticket',
  description: 'A ticket as PDF, fetched from the airline now. get_tickets lists the addresses of a booking.',
  uri: 'fareclerk://tickets/{locator}/{number}/{coupon}',
  mimeType: 'application/pdf',
  needs: 'get_tickets',
  completes: { locator: 'locator' },
  read: ({ locator = '', number = '', coupon = '' }, { clerk, caller, signal }) =>
    clerk.ticket({ locator, number, coupon }, { caller, ...(signal && { signal }) }),
};
