/* SPDX-License-Identifier: MIT */
/*
 * Holds the texts of the help. Formats, exit codes and limits come from the tables and macros that
 * define them.
 */
#include "prfread/help.h"

#include <string.h>

#include "prfread/exit_codes.h"
#include "prfread/format.h"
#include "prometheus/serve.h"

#define TEXT_OF_TOKENS(tokens) #tokens
#define TEXT_OF(macro)         TEXT_OF_TOKENS(macro)
#define CLIENT_COUNT           TEXT_OF(PRFDATA_SERVE_CONNECTIONS)
#define SHARE_MS               TEXT_OF(PRFDATA_SERVE_SHARE_MS)

/* Every example is a command that works. */
static const char overview[] =
    "prfread: performance counters on the command line, as typeperf shows them\n"
    "\n"
    "  prfread \"\\Memory\\Available Bytes\"        a value each second, until Ctrl+C\n"
    "  prfread \"\\My Queues(*)\\*\" -sc 3 -si 5    all instances, 3 samples, 5 s apart\n"
    "  prfread \"\\My Queues(*)\\Depth\" -o q.csv   into a file\n"
    "  prfread \"\\My Queues(*)\\Depth\" -f JSON    a JSON object per sample\n"
    "  prfread -cf paths.txt -sc 60 -stats      paths in a file; with statistics\n"
    "  prfread -q                               list objects and counters\n"
    "  prfread -qx \"My Queues\"                  list one object with its instances\n"
    "  prfread -top \"\\My Queues(*)\\*\"           a live view\n"
    "  prfread -serve 9182 \"\\My Queues(*)\\*\"    answer Prometheus\n"
    "  prfread -save now.blk \"My Queues\"        save a sample\n"
    "  prfread -file now.blk \"\\My Queues(*)\\*\"  read it on any computer\n"
    "  prfread -dump \"My Queues\"                every field of the provider's reply\n"
    "\n"
    "Options: anywhere, with - or /, upper or lower case. The output is data only.\n"
    "\n"
    "  prfread -? options     what each option does\n"
    "  prfread -? paths       how to write counter paths\n"
    "  prfread -? formats     output formats, statistics\n"
    "  prfread -? prometheus  -serve, -explain, names of metrics\n"
    "  prfread -? sources     -save, -file, -dll, -regions\n"
    "  prfread -? files       the files of -cf and -config\n"
    "  prfread -? exit        exit codes\n";

static const char options[] =
    "  prfread \"\\Memory\\Available Bytes\" -si 1:30 -sc 10   every 90 s, ten times\n"
    "\n"
    "  -si [[hh:]mm:]ss    time between samples; 1 s; also 0.5\n"
    "  -sc n               number of samples\n"
    "  -limit s            seconds that a provider may take; 10\n"
    "  -f format          " PRFDATA_FORMAT_NAMES "; prfread -? formats\n"
    "  -o file, -y         write to a file; -y overwrites one that exists\n"
    "  -utf8               CSV and TSV files in UTF-8, which PerfMon does not read\n"
    "  -c path, -cf file   a counter path; paths in a file, one per line\n"
    "  -config file        options and paths; the command line wins\n"
    "  -stats              statistics of each column at the end\n"
    "  -nocap, -zero       percentages may exceed 100; an average of nothing is 0\n"
    "  -q, -qx [object...] list counters, with * or with the present instances\n"
    "  -dump [object...]   print the performance data block\n"
    "  -top [name...]      a live view of paths or objects; by default PrfData's own\n"
    "  -serve [addr:]port  answer Prometheus over HTTP\n"
    "  -service install    run -serve as a Windows service; -service remove\n"
    "  -save file          save a block for -file; with -si or -sc a recording\n"
    "  -s computer         read another computer, through Remote Registry\n"
    "  -file A [B]         read saved blocks instead of this computer\n"
    "  -explain, -parts, -metrics, -reader   prfread -? prometheus\n"
    "  -dll file           call a DLL; -open, -collect, -close name its functions\n"
    "  -regions service    read the regions of a service's processes\n"
    "  -version, -? [topic]   the version; help\n";

static const char paths[] =
    "  prfread \"\\Memory\\Available Bytes\"        an object without instances\n"
    "  prfread \"\\Process(svchost#2)\\ID Process\" the third instance of this name\n"
    "  prfread \"\\Thread(app/0)\\ID Thread\"       instance 0 of the parent app\n"
    "  prfread \"\\My *(in*)\\% *\"                * stands for any characters\n"
    "  prfread service:MyService                all counters of a service\n"
    "  prfread \"\\230(*)\\784\"                    by index in the title database\n"
    "\n"
    "[\\\\ThisComputer]\\Object[(Parent/Instance#Index)]\\Counter; case does not matter.\n"
    "\n"
    "Names are English. If English has no such name, names in the user's language\n"
    "are tried, then indexes; headings are in the language in which the object was\n"
    "found. If several objects have the same name, all of them are read.\n"
    "\n"
    "Each path is looked for in each sample: what appears later gets a column, with\n"
    "-o in another file (log-2.csv); what disappears keeps its column, without\n"
    "values. An object that no provider has is reported once. If nothing is found in\n"
    "the first sample, prfread ends with \"No valid counters\", as typeperf does.\n"
    "Rates of a new instance need its second sample.\n";

/* prfdata_help_put() puts the list of formats between `before_formats` and `after_formats`. */
static const char before_formats[] =
    "  prfread \"\\My Queues(*)\\*\" -f TSV -o log.tsv    for PerfMon and spreadsheets\n"
    "  prfread \"\\My Queues(*)\\*\" -f JSON -sc 1        for programs\n"
    "\n";

static const char after_formats[] =
    "-stats    A table after a blank line, or a last JSON line \"Statistics\": how\n"
    "          many values, how many samples without one, minimum, maximum, mean;\n"
    "          time-weighted mean, where each value counts for the time before it;\n"
    "          end-to-end mean, as if only the first and last sample were taken.\n"
    "          The table covers all rows. With -o it goes to standard output.\n"
    "\n"
    "Percentages above 100 become 100, as in PDH; -nocap leaves them. An average has\n"
    "no value if nothing happened; -zero shows 0 instead, as PerfMon does. A counter\n"
    "that is a text is shown as text.\n";

static const char prometheus[] =
    "  prfread -serve 9182 \"\\My Queues(*)\\*\"          http://127.0.0.1:9182/metrics\n"
    "  prfread -serve *:9182             PrfData's own objects, to other computers\n"
    "  prfread -service install -serve *:9182    as the Windows service prfread\n"
    "  prfread -f PROM -o q.prom -y -si 15 \"\\My Queues(*)\\*\"  a file every 15 s\n"
    "  prfread -explain \"\\My Queues(*)\\*\"             the names of metrics\n"
    "\n"
    "-serve      Answers GET and HEAD, " CLIENT_COUNT " clients at once. Scrapes within " SHARE_MS
    " ms\n"
    "            get the same sample. [::1]:9182 for IPv6. Port 0 is any free port;\n"
    "            standard error says which. Without an address only this computer is\n"
    "            answered. A scrape may take as long as its client says, at most\n"
    "            -limit; 8 s if neither is given.\n"
    "-host n,n   Names that clients may use, besides this computer's and addresses\n"
    "-f OM       OpenMetrics 1.0; -f PROM is Prometheus's text format 0.0.4. One\n"
    "            sample, or as -sc and -si say; each replaces the file of -o.\n"
    "-explain    The metric of each counter, or why it has none.\n"
    "-parts      Also both numbers of fractions, and counters that a histogram has.\n"
    "-metrics f  Other names, in lines: \\Object\\Counter metric=m unit=u label=l\n"
    "-reader n   Label reader=\"n\" on prfread's own metrics, to tell files apart\n"
    "\n"
    "Counts are counters; averages are summaries; times are in seconds. Names and\n"
    "units are the map's, or made of titles: % and (ms) are scaled, which -explain\n"
    "says; metric= alone leaves values as they are. Labels are name and parent.\n"
    "Instances _Total are left out, unless a path names one without *. What only\n"
    "they have is in metrics called overall; prfread's own begin with " PRFDATA_METRIC_OWN_PREFIX
    ".\n";

static const char files[] =
    "  prfread -cf paths.txt -f JSON\n"
    "  prfread -config night.txt -sc 10    the command line wins\n"
    "\n"
    "-cf has a counter path per line, -config the name of an option in brackets and\n"
    "its values on the lines below, with the paths under [c]:\n"
    "\n"
    "    [f]\n"
    "    TSV\n"
    "    [si]\n"
    "    1:00\n"
    "    [o]\n"
    "    C:\\logs\\night.tsv\n"
    "    [y]\n"
    "    [c]\n"
    "    \\Memory\\Available Bytes\n"
    "    \\My Queues(*)\\Depth\n"
    "\n"
    "UTF-8, or UTF-16 with a byte order mark. Quotes around a line are removed.\n"
    "Empty lines and lines that begin with # or ; are skipped.\n";

static const char sources[] =
    "  prfread -save now.blk \"My Queues\"             a moment, into a file\n"
    "  prfread -file now.blk -qx                     what it has, by name\n"
    "  prfread -file a.blk b.blk \"\\My Queues(*)\\*\"    values between two moments\n"
    "  prfread -dll MyService -q                     the DLL, without the system\n"
    "  prfread -dll P.dll -open O -collect C -close E -q\n"
    "  prfread -regions MyService \"\\My Queues(*)\\*\"   without perflib and titles\n"
    "\n"
    "-save     The block as it is, with the names and help texts that it needs, from\n"
    "          any source; with -si or -sc all samples, in files that begin anew at\n"
    "          64 MiB: now-2.blk ... -file reads them on any system.\n"
    "-file     B is newer than A, and of the same computer. A alone has no rates,\n"
    "          unless it is a recording.\n"
    "-dll      A file, or a service's name. The functions are those of the service,\n"
    "          or PrfDataOpen, PrfDataCollect, PrfDataClose. They run in prfread:\n"
    "          a fault is reported and ends it. prfcheck tests more.\n"
    "-limit    Without -file, -dll or -regions providers run in another process. One\n"
    "          that crashes there or does not answer in this time is named and left\n"
    "          out; the exit code is 4.\n"
    "-regions  The region files of a service's programs, with the names of its map.\n"
    "\n"
#ifdef _WIN32
    "This system has all of them.\n";
#else
    "Of these sources, this system has only -file; the others need Windows.\n";
#endif

#define EXIT_CODE_LINE(symbol, code, text) #code "  " text "\n"

#define EXIT_CODE_LINES PRFDATA_EXIT_CODES(EXIT_CODE_LINE)

static const char exit_codes[] = "  prfread \"\\My Queues(*)\\Depth\" -sc 1 || echo incomplete\n"
                                 "\n" EXIT_CODE_LINES "\n"
                                 "If several apply, the first of these is returned: 4, 1, 3, 5.\n";

static const struct {
    const char *topic;
    const char *text;
    const char *after_formats; /* NULL: the topic does not list the formats */
} topics[] = {
    {"", overview, NULL},
    {"options", options, NULL},
    {"paths", paths, NULL},
    {"formats", before_formats, after_formats},
    {"prometheus", prometheus, NULL},
    {"sources", sources, NULL},
    {"files", files, NULL},
    {"exit", exit_codes, NULL},
};

/* Put the name of a format in a column of ten characters, with its help to the right. */
static void put_format_help(prfdata_output *output, const prfdata_format *format)
{
    const char *name = format->name;

    for (const char *line = format->help; *line; name = "") {
        const char *end = strchr(line, '\n') + 1;

        prfdata_output_format(output, "%-10s", name);
        prfdata_output_put(output, line, (size_t)(end - line));
        line = end;
    }
}

bool prfdata_help_put(prfdata_output *output, prfdata_text topic)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (!prfdata_text_equal_ascii(topic, topics[i].topic))
            continue;
        prfdata_output_put_string(output, topics[i].text);
        if (topics[i].after_formats) {
            for (size_t f = 0; prfdata_format_at(f); f++)
                put_format_help(output, prfdata_format_at(f));
            prfdata_output_put_string(output, topics[i].after_formats);
        }
        return true;
    }
    return false;
}

const char *prfdata_help_topic(size_t index)
{
    return index < sizeof topics / sizeof topics[0] ? topics[index].topic : NULL;
}
