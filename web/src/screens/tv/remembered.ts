/** The table that this television shows, remembered by its browser so that its code is typed once. */
import { store, stored } from '../../protocol/storage';

export const tableOnTv = (): string | null => stored('tv') || null;
export const rememberTable = (code: string): void => store('tv', code);
export const forgetTable = (): void => store('tv', '');
