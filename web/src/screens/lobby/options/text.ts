/** What a house rule is called, why a table would want it, and what its values are called. */
import { gameText, plainName, term } from '../../../text';

const find = (game: string, key: string) => gameText(game, `option.${key}`);

export const optionLabel = (game: string, option: string): string =>
  find(game, `${option}.label`) ?? plainName(option);
export const optionWhy = (game: string, option: string): string => find(game, `${option}.why`) ?? '';
export const optionValue = (game: string, option: string, value: string | number): string =>
  find(game, `${option}.value.${value}`) ??
  (typeof value === 'string' ? plainName(term(value, game)) : String(value));
