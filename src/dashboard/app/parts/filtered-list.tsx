import type { ReactNode } from "react";
import { FilterBar, type FilterField } from "./filter-bar.tsx";
import { changed, type Filters, isFiltered } from "./filters.ts";
import { Listing, type ListingProps } from "./listing.tsx";

type Props<T> = Omit<ListingProps<T>, "isFiltered" | "onClear" | "onOlder"> & {
  fields: readonly FilterField[];
  filters: Filters;
  onShow: (filters: Filters) => void;
  children?: ReactNode;
};

/** A list with filters, both stored in the URL. */
export const FilteredList = <T,>({ fields, filters, onShow, children, ...listing }: Props<T>) => {
  const wanted = changed(filters, {});
  return (
    <>
      <FilterBar fields={fields} filters={wanted} onChange={onShow} />
      {children}
      <Listing
        {...listing}
        isFiltered={isFiltered(filters)}
        onClear={() => onShow({})}
        onOlder={(cursor) => onShow({ ...wanted, cursor })}
      />
    </>
  );
};
